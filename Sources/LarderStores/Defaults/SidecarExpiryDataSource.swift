import Foundation
import Harmony
import LarderModel

/// A data source that adds expiries from a file next to the store, in the format of a Harmony
/// cache.
///
/// Entries without an expiry in the file never expire: defaults are shared by all programs, and
/// values that the cache did not write must not be deleted as expired. Setting an expiry writes
/// only to the file, and only if the entry has not changed.
final class SidecarExpiryDataSource: GetDataSource, PutDataSource, DeleteDataSource {
  private let source: AnyDataSource<Entry>
  private let file: CacheTimesFile
  private let isReadOnly: Bool

  init(_ source: AnyDataSource<Entry>, _ file: CacheTimesFile, isReadOnly: Bool) {
    self.source = source
    self.file = file
    self.isReadOnly = isReadOnly
  }

  func get(_ query: any Query) -> Future<Entry> {
    guard case .one? = ReadRequest(query) else { return source.get(query) }
    return timed(source.get(query))
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    if query is EntriesQuery { return timed(source.getAll(query)) }
    switch ReadRequest(query) {
    case .page(let query):
      let isByTime = [.expires, .modified].contains(query.order.field) || query.expiring != nil
      guard isByTime else {
        return query.detail == .keys ? source.getAll(query) : timed(source.getAll(query))
      }
      return Future { [self] in try await page(query) }
    case .one, .several, .all: return timed(source.getAll(query))
    case .count, nil: return source.getAll(query)
    }
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    guard let query = query as? RenameQuery else { return timed(source.put(value, in: query)) }
    return following([query]) { [source] in [try await source.put(value, in: query).getCancelling()]
    }
    .map { try $0.only() }
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    if let renames = query.newNames {
      return following(renames) { [source] in
        try await source.putAll(array, in: query).getCancelling()
      }
    }
    return timed(source.putAll(array, in: query))
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    source.delete(query)
  }

  /// Renames entries together with their expiries.
  private func following(
    _ renames: [RenameQuery], _ rename: @escaping @Sendable () async throws -> [Entry]
  ) -> Future<[Entry]> {
    let names = renames.compactMap { rename in
      rename.entryKey.timesName.flatMap { old in rename.newKey.timesName.map { (old, $0) } }
    }
    return Future { [self] in
      var times = try RenamedTimes(names, in: file)
      let free = await absent(renames.map(\.newKey))
      try times.begin { free.contains(Array($0.utf8)) }
      let renamed: [Entry]
      do {
        renamed = try await rename()
      } catch {
        // The rename may have succeeded despite the error.
        let gone = await absent(renames.map(\.entryKey))
        try? times.finish { gone.contains(Array($0.utf8)) }
        throw error
      }
      try times.finish()
      return try renamed.timed(by: file)
    }
  }

  /// Returns the cache's names, in bytes, of those keys that certainly have no entry.
  private func absent(_ keys: [EntryKey]) async -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    for key in keys {
      guard let name = key.timesName else { continue }
      do {
        if try await source.entry(key) == nil { names.insert(Array(name.utf8)) }
      } catch { continue }
    }
    return names
  }

  private func timed(_ entries: Future<[Entry]>) -> Future<[Entry]> {
    entries.map { [file] in try $0.timed(by: file) }
  }

  private func timed(_ entry: Future<Entry>) -> Future<Entry> {
    entry.map { [file] in try [$0].timed(by: file).only() }
  }

  /// Returns a page that is sorted or filtered by the times of all entries.
  private func page(_ query: EntryPageQuery) async throws -> [Entry] {
    let part = Scan()
    let whole = EntryPageQuery(
      prefix: query.prefix, filter: query.filter, limit: .max,
      detail: query.detail == .values ? .values : .summary, scan: part)
    let entries = try await source.getAll(whole).getCancelling().timed(by: file)
    query.scan?.addUnreadable(from: part)
    var rest = query
    // All remaining entries match, and the filter cannot be applied to summaries.
    if query.order.field != .match { rest.filter = nil }
    return try OrderedPage(entries).page(rest)
  }
}

extension SidecarExpiryDataSource: ExpiryService, SeparateExpiries {
  var separate: (any SeparateExpiries)? { self }

  func entries(after changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    var entries: [Entry] = []
    for (place, change) in changes.enumerated() {
      try scan?.reportRead(place)
      guard change.key.timesName != nil else {
        throw StoreError.insideValue(change.key)
      }
      entries.append(try change.checked(try await source.entry(change.key)))
    }
    return zip(try entries.timed(by: file), changes).map { entry, change in
      var entry = entry
      entry.expires = change.expires
      return entry
    }
  }

  func set(_ changes: [ExpiryChange], _ scan: Scan?) async throws -> [Entry] {
    guard !isReadOnly else {
      throw StoreError.readOnlyFile(file.path)
    }
    let entries = try await entries(after: changes, scan)
    let named = entries.compactMap { entry in entry.key.timesName.map { ($0, entry.expires) } }
    let known = try file.times(named: named.map(\.0))
    let times = zip(named, known).map { named, times in
      (named.0, CacheTimes?.some(CacheTimes(stored: times?.stored ?? Date(), expires: named.1)))
    }
    try file.setTimes(byName: times)
    return entries
  }
}

extension OpenStore {
  /// Returns the same store with the expiries that a Harmony cache keeps for it.
  func timed(by file: CacheTimesFile, isReadOnly: Bool) throws(StoreError) -> OpenStore {
    do {
      guard try !file.all().isEmpty else { return self }
    } catch {
      throw StoreError(error)
    }
    let original = opening
    let fact = Fact("expiry", Messages.cacheExpiry(file.path))
    var open = OpenStore(
      kind: kind, location: location, evidence: evidence, readOnlyReason: readOnlyReason,
      collections: collections, facts: facts + [fact]
    ) { collection in
      let store = try await original(collection, nil)
      let source = SidecarExpiryDataSource(store.source, file, isReadOnly: isReadOnly)
      return store.through(AnyDataSource(source), expiry: source, capabilities: .ages)
    }
    open.resolvedPath = resolvedPath
    return open
  }
}

extension [Entry] {
  /// Returns these entries with their times, all read from the file together.
  fileprivate func timed(by file: CacheTimesFile) throws -> [Entry] {
    let named = indices.filter { self[$0].key.timesName != nil }
    let known = try file.times(named: named.compactMap { self[$0].key.timesName })
    var entries = self
    for (place, times) in zip(named, known) {
      guard let times else { continue }
      (entries[place].modified, entries[place].expires) = (times.stored, times.expires)
    }
    return entries
  }
}

extension EntryKey {
  /// The name that a cache of defaults uses for the value: its key, or the keys of a dictionary and
  /// a member of it.
  ///
  /// It is nil for deeper values.
  fileprivate var timesName: String? {
    switch self {
    case .text(let text): text
    case .composite(let keys):
      switch (keys.first, keys.dropFirst().first, keys.count) {
      case (.text(let root)?, .text(let key)?, 2): root + "\0" + key
      default: nil
      }
    default: nil
    }
  }
}

extension Query {
  /// The requested renames, or nil if the query is not a rename.
  fileprivate var newNames: [RenameQuery]? {
    let query = (self as? RecordedChangeQuery)?.change.query ?? self
    return (query as? RenamesQuery)?.renames
  }
}
