import Harmony
import HarmonyRealm
import LarderModel

/// Walks over the objects of a class, as many at once as take little time, until there is an answer.
struct RealmScan {
  private let source: RealmEntrySource
  private let flag: CancelFlag
  private let path: String

  /// How many objects are looked at in one state of the file.
  private static let batch = 20_000
  /// How many entries a screen may show, with those around that are held for it.
  private static let maximumScreen = 1_024

  init(_ source: RealmEntrySource, _ flag: CancelFlag) {
    self.source = source
    self.flag = flag
    path = source.file.path
  }

  /// What is looked at of each object.
  private struct Found {
    let key: EntryKey
    let objectKey: Int64
    /// Nil where only keys are looked at.
    let object: RealmObject?
  }

  /// Walks over all objects behind one.
  ///
  /// - Parameters:
  ///   - start: Says behind which object the walk begins.
  ///   - isBackward: Whether the last object comes first.
  ///   - isWhole: Whether whole objects are read, and not only their keys.
  ///   - most: After how many objects there is surely enough.
  ///   - body: What to do with each; says whether to go on.
  /// - Returns: Whether there was no object behind those that were looked at.
  /// - Throws: ``StoreError``, and what the closures throw.
  private func walk(
    from start: (RealmLookup) throws -> Int64?, isBackward: Bool, isWhole: Bool, most: Int = .max,
    _ body: (Found) throws -> Bool
  ) throws -> Bool {
    var after: Int64?
    var isFirst = true
    let size = min(isWhole ? Self.batch / 20 : Self.batch, most)
    while true {
      try flag.check()
      // What is done with objects is done once: a state that was not the same at the end is read
      // again, and only then looked at.
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

  /// So many objects behind one, or their keys alone.
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

  /// The entries of a page.
  func page(_ query: EntryPageQuery) throws -> [Entry] {
    let matcher = try query.filter.map { filter throws(StoreError) in
      try KeyMatcher(filter, telling: query.scan)
    }
    guard let ordered = query.inKeyOrder else { return try sorted(query, matcher) }
    // Nothing of it expires.
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
      // Of more than a screen shows only the place is of use where the next page begins.
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

  /// The entries of a page in another order.
  private func sorted(_ query: EntryPageQuery, _ matcher: KeyMatcher?) throws -> [Entry] {
    let rank = try query.rankAfter(matcher) { key in
      try source.read { try $0.entryIfThere(key, source.className, path) }
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

  /// The number of entries that match, and the bytes of their values.
  func count(_ query: CountQuery) throws -> Entry {
    let matcher = try query.filter.map { filter throws(StoreError) in
      try KeyMatcher(filter, telling: query.scan)
    }
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

  /// The rows of a page of the tree of keys, which are in another order than the objects.
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
      // Whoever asks for the value is told why there is none.
      return Entry(key: found.key, type: .record)
    }
    return entry.cut(to: detail)
  }
}
