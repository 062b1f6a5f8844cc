import Harmony
import LarderCore

extension JournaledWriter {
  /// The entries of a step, with the rowids of rows that it deletes, or changes where triggers may
  /// put another row in their place, so that they come back under the same: other tables may refer to
  /// them.
  func withRowNumbers(_ items: [JournalItem]) async throws -> [JournalItem] {
    guard kind == SQLiteKind.kind else { return items }
    let places = items.indices.filter { items[$0].before != nil && items[$0].newKey == nil }
    let isDeleted = Dictionary(grouping: places) { items[$0].after == nil }
    var items = items
    for (areDeleted, places) in isDeleted {
      let query = RowNumbersQuery(
        keys: places.map { items[$0].key }, onlyWithTriggers: !areDeleted)
      var rows: [EntryKey: RowNumber] = [:]
      for entry in try await source.getAll(query).getCancelling() {
        if case .integer(let number)? = entry.value { rows[entry.key] = RowNumber(number) }
      }
      for place in places { items[place].beforeForm = rows[items[place].key]?.form }
    }
    return items
  }
}
