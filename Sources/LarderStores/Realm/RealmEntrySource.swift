import Dispatch
import Harmony
import HarmonyRealm
import LarderModel

/// A data source whose entries are the objects of a class in a Realm file, in the order of their
/// object keys.
///
/// That is roughly the order of creation, and the only order in which the cost of a page does not
/// depend on its position. Page reads and scans each run on their own queue, where their futures
/// complete. A scan may read each batch of objects from a newer version of the file, so that
/// frequent writes by other programs do not keep it from making progress.
final class RealmEntrySource: GetDataSource, PutDataSource, DeleteDataSource {
  let file: RealmFile
  let className: String
  let places = ObjectKeyCache()
  private let pages = DispatchQueue(label: "larder.realm.page")
  private let scans = DispatchQueue(label: "larder.realm.scan")

  /// Creates a source for the objects of a class, with the class name as stored in the file.
  init(_ file: RealmFile, className: String) {
    self.file = file
    self.className = className
  }

  func get(_ query: any Query) -> Future<Entry> {
    switch ReadRequest(query) {
    case .one(let key):
      return read(pages) { [className, path = file.path] lookup, _ in
        try lookup.entry(key, className, path)
      }
    case .count(let query):
      if query.filter == nil, query.prefix.isEmpty, !query.measures {
        return read(pages) { lookup, _ in
          query.scan?.report(examined: lookup.found.count, position: nil, isComplete: true)
          return CountQuery.answer(lookup.found.count)
        }
      }
      guard query.precision == .exact else { return query.unsupported() }
      return scans.future { [self] flag in try RealmScan(self, flag).count(query) }
    default: return query.unsupported()
    }
  }

  func getAll(_ query: any Query) -> Future<[Entry]> {
    if let query = query as? EntriesQuery {
      return read(pages) { [className, path = file.path] lookup, _ in
        try query.answer { try lookup.entryIfThere($0, className, path) }
      }
    }
    if let query = query as? PrefixSummaryQuery {
      guard query.page.filter == nil else { return query.unsupported() }
      return scans.future { [self] flag in try RealmScan(self, flag).tree(query) }
    }
    switch ReadRequest(query) {
    case .page(let query):
      let isScan = query.filter != nil || !query.prefix.isEmpty || query.inKeyOrder == nil
      return (isScan ? scans : pages).future { [self] flag in
        try query.checkOrder([.types, .columns])
        return try RealmScan(self, flag).page(query)
      }
    case .all: return getAll(EntryPageQuery(limit: .max, detail: .values))
    case .several(let keys):
      return read(pages) { [className, path = file.path] lookup, _ in
        try keys.map { try lookup.entry($0, className, path) }
      }
    case .one(let key): return get(EntryQuery(key)).map { [$0] }
    case .count, nil: return query.unsupported()
    }
  }

  @discardableResult
  func put(_ value: Entry?, in query: any Query) -> Future<Entry> {
    query is RenameQuery || WriteRequest(query) != nil ? Future(refusal) : query.unsupported()
  }

  @discardableResult
  func putAll(_ array: [Entry], in query: any Query) -> Future<[Entry]> {
    let isKnown =
      query is ChangesQuery || query is RenamesQuery || EntryKey.keysToWrite(array, query) != nil
    return isKnown ? Future(refusal) : query.unsupported()
  }

  @discardableResult
  func delete(_ query: any Query) -> Future<Void> {
    DeleteRequest(query) != nil ? Future(refusal) : query.unsupported()
  }

  private var refusal: StoreError {
    .readOnly("\(file.path) is a Realm file, which larder only reads; nothing was written")
  }

  /// Calls a closure with one consistent version of the file.
  func read<Value>(_ body: (RealmLookup) throws -> Value) throws -> Value {
    do {
      return try file.read { reading in
        let found = try reading.requireClass(className)
        return try body(RealmLookup(reading: reading, found: found, places: places))
      }
    } catch let error as RealmError {
      throw StoreError(realm: error, file.path)
    }
  }

  private func read<Value: Sendable>(
    _ queue: DispatchQueue,
    _ body: @escaping @Sendable (RealmLookup, CancelFlag) throws -> Value
  ) -> Future<Value> {
    queue.future { [self] flag in
      let value = try read { try body($0, flag) }
      try flag.check()
      return value
    }
  }
}
