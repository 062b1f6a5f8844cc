import LarderModel
import LarderStoreBase

/// Pages and counts of entries that are sorted by key and can be accessed by their indexes.
struct OrderedPage {
  private let count: Int
  private let key: (Int) -> EntryKey
  private let entry: (Int) -> Entry

  /// Creates an instance for entries that are read when they are needed.
  ///
  /// - Parameters:
  ///   - count: The number of entries.
  ///   - key: A closure that returns the key at an index.
  ///   - entry: A closure that returns the complete entry at an index.
  init(count: Int, key: @escaping (Int) -> EntryKey, entry: @escaping (Int) -> Entry) {
    (self.count, self.key, self.entry) = (count, key, entry)
  }

  /// Creates an instance for complete entries that are sorted by key.
  init(_ entries: [Entry]) {
    self.init(count: entries.count, key: { entries[$0].key }, entry: { entries[$0] })
  }
}

extension OrderedPage: EntryScan {
  func key(of index: Int) -> EntryKey { key(index) }

  func entry(of index: Int, _ detail: EntryPageQuery.Detail) -> Entry {
    detail == .keys ? Entry(key: key(index)) : entry(index).cut(to: detail)
  }

  func entry(_ key: EntryKey) -> Entry? {
    let place = firstIndex { $0 >= key }
    return place < count && self.key(place) == key ? entry(place) : nil
  }

  func walk(
    _ selection: EntrySelection, after: EntryKey?, isBackward: Bool, isWhole: Bool,
    atMost wanted: Int, _ body: (Int) throws -> Bool
  ) throws -> Bool {
    if isBackward {
      let end = after.map { after in firstIndex { $0 >= after } } ?? count
      return try (0..<end).reversed().allSatisfy(body)
    }
    let start = after.map { after in firstIndex { $0 > after } } ?? 0
    return try (start..<count).allSatisfy(body)
  }

  func matches(_ index: inout Int, _ selection: EntrySelection) -> Bool {
    let (key, index) = (key(index), index)
    guard key.hasPrefix(selection.prefix) else { return false }
    guard let filter = selection.filter, let matcher = selection.matcher else { return true }
    if filter.field == .keys {
      return matcher.matches(key) && matcher.matchesColumns(entry(index).value)
    }
    let entry = entry(index)
    guard matcher.matchesColumns(entry.value) else { return false }
    if let value = entry.value { return matcher.matches(value, of: key) }
    if entry.specialType == nil {
      selection.scan?.report(unreadable: key, .unreadableValue)
    }
    return false
  }

  /// Returns the index of the first key that satisfies a condition which all later keys satisfy
  /// too.
  private func firstIndex(where condition: (EntryKey) -> Bool) -> Int {
    (0..<count).bisect { condition(key($0)) }
  }
}
