import Harmony
import HarmonyRealm
import LarderModel

/// A scan that visits the objects of a class in batches to answer a query.
struct RealmScan {
  private let source: RealmEntrySource
  private let flag: CancelFlag
  private let path: String

  /// The maximum number of objects to read from one version of the file.
  private static let batch = 20_000
  /// The maximum number of entries that a screen needs, including those held around it.
  private static let maximumScreen = 1_024

  init(_ source: RealmEntrySource, _ flag: CancelFlag) {
    self.source = source
    self.flag = flag
    path = source.file.path
  }

  /// An object that the scan has found.
  private struct Found {
    let key: EntryKey
    let objectKey: Int64
    /// The object, or nil if only keys are read.
    let object: RealmObject?
  }

  /// Visits all objects after a position.
  ///
  /// - Parameters:
  ///   - start: A closure that returns the object key after which to start.
  ///   - isBackward: Whether to visit the objects in reverse order.
  ///   - isWhole: Whether to read complete objects rather than only their keys.
  ///   - most: The maximum number of objects needed.
  ///   - body: A closure that processes an object and returns whether to continue.
  /// - Returns: Whether the end was reached.
  /// - Throws: ``StoreError``, and errors of the closures.
  private func walk(
    from start: (RealmLookup) throws -> Int64?, isBackward: Bool, isWhole: Bool, most: Int = .max,
    _ body: (Found) throws -> Bool
  ) throws -> Bool {
    var after: Int64?
    var isFirst = true
    let size = min(isWhole ? Self.batch / 20 : Self.batch, most)
    while true {
      try flag.check()
      // Collect a batch before processing it: a read is repeated if the file changes in the
      // process, but each object must be processed only once.
      let batch = try source.read { lookup in
        let begin = isFirst ? try start(lookup) : after
        return try gather(lookup, after: begin, isBackward: isBackward, isWhole: isWhole, size)
      }
      isFirst = false
      for found in batch {
        after = found.objectKey
        guard try body(found) else { return false }
      }
      if batch.count < size {
        try flag.check()
        return true
      }
    }
  }

  /// Returns a batch of objects after a position, or only their keys.
  private func gather(
    _ lookup: RealmLookup, after: Int64?, isBackward: Bool, isWhole: Bool, _ size: Int
  ) throws -> [Found] {
    var batch: [Found] = []
    func take(_ found: Found) -> Bool {
      batch.append(found)
      return batch.count < size && !flag.isCancelled
    }
    if isWhole {
      try lookup.reading.forEach(of: lookup.found, after: after, isBackward: isBackward) {
        take(Found(key: $0.key, objectKey: $0.objectKey, object: $0))
      }
    } else if let primary = lookup.found.primaryKey {
      try lookup.reading.forEachValue(
        of: primary, in: lookup.found, after: after, isBackward: isBackward
      ) {
        take(Found(key: $1.entryKey ?? .integer($0), objectKey: $0, object: nil))
      }
    } else {
      try lookup.reading.forEachKey(of: lookup.found, after: after, isBackward: isBackward) {
        take(Found(key: .integer($0), objectKey: $0, object: nil))
      }
    }
    return batch
  }

  /// Returns the entries of a page.
  func page(_ query: EntryPageQuery) throws -> [Entry] {
    let matcher = try KeyMatcher.of(query.filter, telling: query.scan)
    guard let ordered = query.inKeyOrder else { return try sorted(query, matcher) }
    // Realm objects never expire.
    if let expiring = query.expiring, !expiring.contains(nil) { return [] }
    var meter = ScanMeter(query.scan)
    var page: [Entry] = []
    var position = query.after
    let isBackward = ordered.direction == .backward
    let searches = query.filter?.readsValues == true
    var isFull = false
    var last: Int64?
    let isEnd = try walk(
      from: { lookup in
        try query.after.flatMap { try lookup.place(after: $0, isBackward: isBackward) }
      },
      isBackward: isBackward, isWhole: searches || query.detail != .keys,
      most: query.filter == nil && query.prefix.isEmpty
        ? query.limit < .max ? max(query.limit, 0) + 1 : .max : .max
    ) { found in
      if page.count >= max(query.limit, 0) {
        isFull = true
        return false
      }
      position = found.key
      // On a larger page, only the position where the next one begins is useful.
      if query.limit <= Self.maximumScreen { source.places.note(found.key, found.objectKey) }
      last = found.objectKey
      if matches(found, query.prefix, query.filter, matcher, query.scan) {
        page.append(entry(found, query.detail))
      }
      return !meter.countOne()
    }
    if let position, let last { source.places.note(position, last) }
    meter.report(position: position, isComplete: isEnd && !isFull)
    return page
  }

  /// Returns the entries of a page in another order than by object key.
  private func sorted(_ query: EntryPageQuery, _ matcher: KeyMatcher?) throws -> [Entry] {
    let rank = try query.rankAfter(matcher) { key in
      try source.read { try $0.entry(key) }
    }
    var selection = SortedSelection(query, after: rank)
    var meter = ScanMeter(query.scan, isWhole: true)
    let needsFacts = query.order.needsFacts
    let searches = query.filter?.readsValues == true
    _ = try walk(
      from: { _ in nil }, isBackward: false,
      isWhole: needsFacts || searches || query.detail != .keys
    ) { found in
      try meter.countOneOfAll()
      guard matches(found, query.prefix, query.filter, matcher, query.scan) else { return true }
      let rank =
        needsFacts
        ? query.order.rank(of: entry(found, query.order.needsValues ? .values : .summary))
        : matcher?.rank(of: found.key) ?? .unknown
      selection.take(rank, found.key) { key in
        source.places.note(key, found.objectKey)
        return entry(found, query.detail)
      }
      return true
    }
    let page = selection.takePage()
    meter.report(position: nil, isComplete: !selection.hasMore)
    return page
  }

  /// Returns an entry with the number of entries that match, and the total size of their values.
  func count(_ query: CountQuery) throws -> Entry {
    let matcher = try KeyMatcher.of(query.filter, telling: query.scan)
    var meter = ScanMeter(query.scan)
    var count = 0
    var bytes: Int? = query.measures ? 0 : nil
    let isEnd = try walk(
      from: { _ in nil }, isBackward: false,
      isWhole: query.measures || query.filter?.readsValues == true
    ) { found in
      if matches(found, query.prefix, query.filter, matcher, query.scan) {
        count += 1
        if let sum = bytes { bytes = entry(found, .summary).size.map { sum + $0 } }
      }
      return !meter.countOne()
    }
    meter.report(position: nil, isComplete: isEnd)
    return CountQuery.answer(count, bytes: bytes, isExact: isEnd)
  }

  /// Returns the rows of a page of the key tree, whose order differs from that of the objects.
  func tree(_ query: PrefixSummaryQuery) throws -> [Entry] {
    var selection = TreeSelection(query)
    _ = try walk(from: { _ in nil }, isBackward: false, isWhole: false) { found in
      selection.take(found.key)
      return true
    }
    return selection.rows()
  }

  private func matches(
    _ found: Found, _ prefix: String, _ filter: EntryFilter?, _ matcher: KeyMatcher?, _ scan: Scan?
  ) -> Bool {
    guard prefix.isEmpty || found.key.hasPrefix(prefix) else { return false }
    guard let filter, let matcher else { return true }
    if !filter.readsValues { return matcher.matches(found.key) }
    if filter.field == .keys, !matcher.matches(found.key) { return false }
    do throws(StoreError) {
      let value = try found.object?.stored(path) ?? .null
      return matcher.matchesColumns(value)
        && (filter.field == .keys || matcher.matches(value, of: found.key))
    } catch {
      scan?.report(unreadable: found.key, error)
      return false
    }
  }

  private func entry(_ found: Found, _ detail: EntryPageQuery.Detail) -> Entry {
    guard detail != .keys else { return Entry(key: found.key) }
    guard let entry = try? found.object?.entry(found.key, path) else {
      // The error is reported when the value is requested.
      return Entry(key: found.key, type: .record)
    }
    return entry.cut(to: detail)
  }
}
