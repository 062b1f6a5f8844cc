import LarderModel

/// Pages and counts of entries in memory that are sorted by key.
struct OrderedPage<Source: RandomAccessCollection<Entry>> where Source.Index == Int {
  private let entries: Source

  /// Creates an instance for complete entries that are sorted by key.
  init(_ entries: Source) {
    self.entries = entries
  }
}

extension OrderedPage: EntryScan {
  func key(of entry: Entry) -> EntryKey { entry.key }

  func entry(of entry: Entry, _ detail: EntryPageQuery.Detail) -> Entry { entry.cut(to: detail) }

  func entry(_ key: EntryKey) -> Entry? {
    let place = firstIndex { $0 >= key }
    return place < entries.endIndex && entries[place].key == key ? entries[place] : nil
  }

  func walk(
    _ selection: EntrySelection, after: EntryKey?, isBackward: Bool, isWhole: Bool,
    atMost count: Int, _ body: (Entry) throws -> Bool
  ) throws -> Bool {
    if isBackward {
      let end = after.map { after in firstIndex { $0 >= after } } ?? entries.endIndex
      return try entries[..<end].reversed().allSatisfy(body)
    }
    let start = after.map { after in firstIndex { $0 > after } } ?? entries.startIndex
    return try entries[start...].allSatisfy(body)
  }

  func matches(_ entry: inout Entry, _ selection: EntrySelection) -> Bool {
    guard entry.key.hasPrefix(selection.prefix) else { return false }
    guard let filter = selection.filter, let matcher = selection.matcher else { return true }
    guard matcher.matchesColumns(entry.value) else { return false }
    switch filter.field {
    case .keys: return matcher.matches(entry.key)
    case .values:
      if let value = entry.value { return matcher.matches(value, of: entry.key) }
      if entry.specialType == nil {
        selection.scan?.report(unreadable: entry.key, .failed("its value cannot be read"))
      }
      return false
    }
  }

  /// Returns the index of the first key that satisfies a condition which all later keys satisfy
  /// too.
  private func firstIndex(where condition: (EntryKey) -> Bool) -> Int {
    (entries.startIndex..<entries.endIndex).bisect { condition(entries[$0].key) }
  }
}
