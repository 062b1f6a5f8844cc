import LarderModel

/// Pages and counts of entries in memory that are sorted by key.
struct OrderedPage<Source: RandomAccessCollection<Entry>> where Source.Index == Int {
  private let entries: Source

  /// Creates an instance for complete entries that are sorted by key.
  init(_ entries: Source) {
    self.entries = entries
  }

  /// Returns the entries of a page, reduced to the requested detail.
  func page(_ query: EntryPageQuery) throws -> [Entry] {
    let matcher = try KeyMatcher.of(query.filter, telling: query.scan)
    guard let query = query.inKeyOrder else { return try sorted(query, matcher) }
    var meter = ScanMeter(query.scan)
    var page: [Entry] = []
    var position = query.after
    var isComplete = true
    for entry in candidates(query) {
      if page.count >= max(query.limit, 0) {
        isComplete = false
        break
      }
      position = entry.key
      if Self.matches(entry, query.prefix, query.filter, matcher, query.scan), query.isInTime(entry)
      {
        page.append(entry.cut(to: query.detail))
      }
      if meter.countOne() {
        isComplete = false
        break
      }
    }
    meter.report(position: position, isComplete: isComplete)
    return page
  }

  /// Returns the entries of a page in another order than by key.
  private func sorted(_ query: EntryPageQuery, _ matcher: KeyMatcher?) throws -> [Entry] {
    let rank = try query.rankAfter(matcher) { key in
      let place = firstIndex { $0 >= key }
      return place < entries.endIndex && entries[place].key == key ? entries[place] : nil
    }
    var selection = SortedSelection(query, after: rank)
    var meter = ScanMeter(query.scan, isWhole: true)
    for entry in entries {
      try meter.countOneOfAll()
      guard Self.matches(entry, query.prefix, query.filter, matcher, query.scan),
        query.isInTime(entry)
      else { continue }
      let rank =
        query.order.needsFacts
        ? query.order.rank(of: entry) : matcher?.rank(of: entry.key) ?? .unknown
      selection.take(rank, entry.key) { _ in entry.cut(to: query.detail) }
    }
    let page = selection.takePage()
    meter.report(position: nil, isComplete: !selection.hasMore)
    return page
  }

  /// Returns an entry with the number of entries that match.
  func count(_ query: CountQuery) throws(StoreError) -> Entry {
    let matcher = try KeyMatcher.of(query.filter, telling: query.scan)
    var meter = ScanMeter(query.scan)
    var count = 0
    var bytes: Int? = query.measures ? 0 : nil
    var isComplete = true
    for entry in entries {
      if Self.matches(entry, query.prefix, query.filter, matcher, query.scan) {
        count += 1
        if let sum = bytes { bytes = entry.size.map { sum + $0 } }
      }
      if meter.countOne() {
        isComplete = false
        break
      }
    }
    meter.report(position: nil, isComplete: isComplete)
    return CountQuery.answer(count, bytes: bytes, isExact: isComplete)
  }

  private func candidates(_ query: EntryPageQuery) -> AnySequence<Entry> {
    switch query.direction {
    case .forward:
      let start = query.after.map { after in firstIndex { $0 > after } } ?? entries.startIndex
      return AnySequence(entries[start...])
    case .backward:
      let end = query.after.map { after in firstIndex { $0 >= after } } ?? entries.endIndex
      return AnySequence(entries[..<end].reversed())
    }
  }

  /// Returns the index of the first key that satisfies a condition which all later keys satisfy
  /// too.
  private func firstIndex(where condition: (EntryKey) -> Bool) -> Int {
    (entries.startIndex..<entries.endIndex).bisect { condition(entries[$0].key) }
  }

  private static func matches(
    _ entry: Entry, _ prefix: String, _ filter: EntryFilter?, _ matcher: KeyMatcher?, _ scan: Scan?
  ) -> Bool {
    guard entry.key.hasPrefix(prefix) else { return false }
    guard let filter, let matcher else { return true }
    guard matcher.matchesColumns(entry.value) else { return false }
    switch filter.field {
    case .keys: return matcher.matches(entry.key)
    case .values:
      if let value = entry.value { return matcher.matches(value, of: entry.key) }
      if entry.specialType == nil {
        scan?.report(unreadable: entry.key, .failed("its value cannot be read"))
      }
      return false
    }
  }
}

extension EntryPageQuery {
  /// Returns whether an entry expires within the requested span.
  fileprivate func isInTime(_ entry: Entry) -> Bool {
    expiring?.contains(entry.expires) ?? true
  }
}

extension Entry {
  /// Returns the entry reduced to a page's detail.
  func cut(to detail: EntryPageQuery.Detail) -> Entry {
    switch detail {
    case .keys: Entry(key: key)
    case .summary: summary
    case .values: self
    }
  }

  private var summary: Entry {
    var entry = Entry(key: key, type: type, size: size, modified: modified, expires: expires)
    if let hits { entry.hits = hits }
    if let lastUsed { entry.lastUsed = lastUsed }
    return entry
  }
}
