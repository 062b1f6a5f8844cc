import Harmony
import LarderCore

extension JournaledWriter {
  /// The entries of a step, with the rowids of rows that it deletes, so that they come back under
  /// the same: other tables may refer to them.
  func withRowNumbers(_ items: [JournalItem]) async throws -> [JournalItem] {
    guard kind == SQLiteKind.kind else { return items }
    let places = items.indices.filter {
      items[$0].before != nil && items[$0].after == nil && items[$0].newKey == nil
    }
    guard !places.isEmpty else { return items }
    let query = RowNumbersQuery(keys: places.map { items[$0].key })
    var rows: [EntryKey: RowNumber] = [:]
    for entry in try await source.getAll(query).getCancelling() {
      if case .integer(let number)? = entry.value { rows[entry.key] = RowNumber(number) }
    }
    var items = items
    for place in places { items[place].beforeForm = rows[items[place].key]?.form }
    return items
  }
}
