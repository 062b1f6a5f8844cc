import Harmony
import LarderModel
import LarderDocuments

/// A search for the array elements that shift to other indexes because a change removes elements
/// before them.
struct MovedElements {
  let source: AnyDataSource<Entry>
  /// The scan that can cancel the operation.
  let scan: Scan?

  private typealias Side = JournalItem.Side

  /// Returns the items of a change together with those for the elements that shift.
  ///
  /// - Parameter items: The items that the change was requested for.
  /// - Returns: The items for everything that the change affects.
  /// - Throws: Errors of the store, and an error if the change could not be undone.
  func added(to items: [JournalItem]) async throws -> [JournalItem] {
    var removed: [IndexedList: Set<Int>] = [:]
    for item in items where item.after == nil {
      guard let (list, place) = IndexedList.find(item.key) else { continue }
      removed[list, default: []].insert(place)
    }
    let ends = try await IndexedList.ends(removed, in: source)
    let firsts = removed.compactMapValues { $0.min() }.filter { !ends.contains($0.key) }
    let members = IndexedList.members(items.map(\.key), in: firsts)
    var isReplaced = Array(repeating: false, count: items.count)
    var moved: [JournalItem] = []
    for (list, first) in firsts {
      let values = try await list.elements(in: source, from: first) { try scan?.reportWaiting() }
        .compactMap { Side($0) }
      // No elements follow the removed ones.
      guard values.count > removed[list]?.count ?? 0 else { continue }
      var after: [Side?] = values
      for number in members[list] ?? [] {
        let item = items[number]
        guard let found = IndexedList.find(item.key), found.list == list, item.before != nil,
          after.indices.contains(found.place - first)
        else {
          throw StoreError.removesEarlier(item.key)
        }
        after[found.place - first] = item.after
        isReplaced[number] = true
      }
      let kept = after.compactMap { $0 }
      moved += values.enumerated().map { offset, value in
        JournalItem(
          key: list.key(first + offset), before: value,
          after: kept.indices.contains(offset) ? kept[offset] : nil, isShifted: true)
      }
    }
    return zip(items, isReplaced).compactMap { $1 ? nil : $0 } + moved
  }
}

extension RecordedChange {
  /// Throws an error if keys of the change refer to different entries because a later change
  /// shifted them.
  ///
  /// - Parameter shifted: The array indexes that later changes shifted, with the numbers of those
  ///   changes.
  /// - Throws: ``StoreError/changedSince(_:)`` with the number of the last of these changes.
  func checkPositions(_ shifted: [(Int64, EntryKey)]) throws(StoreError) {
    // Only the first shifted index of each list and change is needed; there may be very many of
    // both.
    var moved: [IndexedList: [Int64: Int]] = [:]
    for (number, key) in shifted {
      guard let (list, place) = IndexedList.find(key) else { continue }
      moved[list, default: [:]][number] = min(moved[list]?[number] ?? .max, place)
    }
    guard !moved.isEmpty else { return }
    let last = items.compactMap { item in
      Self.lastChange(in: moved, of: item).map { (number: $0, key: item.key) }
    }.max { $0.number < $1.number }
    guard let last else { return }
    throw .movedBy(last.number, last.key, undoing: number)
  }

  /// Returns the number of the last change that shifted an entry or one of its ancestors.
  private static func lastChange(
    in moved: [IndexedList: [Int64: Int]], of item: JournalItem
  ) -> Int64? {
    var last: Int64?
    for path in item.keys.compactMap(\.documentPath) {
      for depth in path.indices {
        guard let (list, place) = IndexedList.find(path, at: depth), let steps = moved[list] else {
          continue
        }
        for (number, first) in steps where first <= place { last = max(last ?? number, number) }
      }
    }
    return last
  }

  /// Returns the item of the element that the change shifted to a key, with its previous key and
  /// value, or nil if that is ambiguous because several elements were removed.
  func mover(to key: EntryKey) -> JournalItem? {
    guard let (list, place) = IndexedList.find(key) else { return nil }
    let own = items.filter { $0.isShifted && IndexedList.find($0.key)?.list == list }
    guard own.count(where: { $0.after == nil }) == 1 else { return nil }
    return own.first { $0.key == list.key(place + 1) }
  }
}
