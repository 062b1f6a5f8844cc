import LarderModel
import LarderStoreBase

/// The entries that a page or a count selects.
struct EntrySelection {
  let prefix: String
  let filter: EntryFilter?
  let matcher: KeyMatcher?
  let scan: Scan?

  init(_ prefix: String, _ filter: EntryFilter?, _ scan: Scan?) throws(StoreError) {
    self.prefix = prefix
    self.filter = filter
    self.scan = scan
    matcher = try KeyMatcher.of(filter, telling: scan)
  }

  /// Whether complete entries are needed to decide which ones are selected.
  var readsValues: Bool { filter?.readsValues == true }
}

/// A walk over the entries of a store, one by one, for its pages and counts.
protocol EntryScan {
  /// An entry that was found, with at least its key.
  associatedtype Found

  /// Returns the key of an entry.
  func key(of found: Found) -> EntryKey

  /// Returns an entry that was found, reduced to a page's detail.
  func entry(of found: Found, _ detail: EntryPageQuery.Detail) throws -> Entry

  /// Returns an entry with what it can be sorted by, or nil if it does not exist.
  func entry(_ key: EntryKey) throws -> Entry?

  /// Returns whether an entry is selected; may add to what is known of it.
  func matches(_ found: inout Found, _ selection: EntrySelection) throws -> Bool

  /// Visits entries in the order of their keys; those without the selection's prefix may be left
  /// out.
  ///
  /// - Parameters:
  ///   - selection: The selection.
  ///   - after: The key after which to start.
  ///   - isBackward: Whether to visit the entries in reverse order.
  ///   - isWhole: Whether complete entries are needed.
  ///   - count: The maximum number of entries needed.
  ///   - body: A closure that processes an entry and returns whether to continue.
  /// - Returns: Whether the end was reached.
  /// - Throws: ``StoreError``, and errors of the closure.
  func walk(
    _ selection: EntrySelection, after: EntryKey?, isBackward: Bool, isWhole: Bool,
    atMost count: Int, _ body: (Found) throws -> Bool
  ) throws -> Bool
}

extension EntryScan {
  /// Returns the entries of a page, reduced to the requested detail.
  func page(_ query: EntryPageQuery) throws -> [Entry] {
    let selection = try EntrySelection(query.prefix, query.filter, query.scan)
    guard let ordered = query.inKeyOrder else { return try sorted(query, selection) }
    let limit = max(query.limit, 0)
    let isPlain = query.filter == nil && query.prefix.isEmpty && query.expiring == nil
    var meter = ScanMeter(query.scan)
    var page: [Entry] = []
    var position = query.after
    let isComplete = try walk(
      selection, after: query.after, isBackward: ordered.direction == .backward,
      isWhole: selection.readsValues || query.detail != .keys || query.expiring != nil,
      atMost: isPlain && limit < .max ? limit + 1 : .max
    ) { found in
      guard page.count < limit else { return false }
      var found = found
      position = key(of: found)
      if try matches(&found, selection), let entry = try entry(of: found, query) {
        page.append(entry)
      }
      let isSpent = meter.countOne()
      if meter.examined % 1_000 == 0 { meter.report(position: position) }
      return !isSpent
    }
    meter.report(position: position, isComplete: isComplete)
    return page
  }

  /// Returns the entries of a page in another order than by key, for which all are examined.
  private func sorted(
    _ query: EntryPageQuery, _ selection: EntrySelection
  ) throws -> [Entry] {
    let rank = try query.rankAfter(selection.matcher) { try entry($0) }
    let needsFacts = query.order.needsFacts
    var page = SortedSelection(query, after: rank)
    var meter = ScanMeter(query.scan, isWhole: true)
    _ = try walk(
      selection, after: nil, isBackward: false,
      isWhole: needsFacts || selection.readsValues || query.detail != .keys
        || query.expiring != nil, atMost: .max
    ) { found in
      try meter.countOneOfAll()
      var found = found
      guard try matches(&found, selection) else { return true }
      let listed =
        needsFacts || query.expiring != nil
        ? try entry(of: found, query.order.needsValues ? .values : .summary) : nil
      guard query.expiring?.contains(listed?.expires) ?? true else { return true }
      let key = key(of: found)
      let rank =
        needsFacts
        ? listed.map(query.order.rank) ?? .unknown : selection.matcher?.rank(of: key) ?? .unknown
      try page.take(rank, key) { _ in try entry(of: found, query.detail) }
      return true
    }
    let entries = page.takePage()
    meter.report(position: nil, isComplete: !page.hasMore)
    return entries
  }

  /// Returns an entry with the number of entries that match.
  func count(_ query: CountQuery) throws -> Entry {
    let selection = try EntrySelection(query.prefix, query.filter, query.scan)
    var meter = ScanMeter(query.scan)
    var count = 0
    var bytes: Int? = query.measures ? 0 : nil
    let isComplete = try walk(
      selection, after: nil, isBackward: false, isWhole: query.measures || selection.readsValues,
      atMost: .max
    ) { found in
      var found = found
      if try matches(&found, selection) {
        count += 1
        if let sum = bytes { bytes = try entry(of: found, .summary).size.map { sum + $0 } }
      }
      let isSpent = meter.countOne()
      if meter.examined % 1_000 == 0 { meter.report(position: nil) }
      return !isSpent
    }
    meter.report(position: nil, isComplete: isComplete)
    return CountQuery.answer(count, bytes: bytes, isExact: isComplete)
  }

  /// Returns an entry of a page, or nil if it expires outside of the requested range.
  private func entry(of found: Found, _ query: EntryPageQuery) throws -> Entry? {
    if let expiring = query.expiring {
      let listed = try entry(of: found, .summary)
      guard expiring.contains(listed.expires) else { return nil }
    }
    return try entry(of: found, query.detail)
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
