import Dispatch
import Harmony
import HarmonyRealm
import LarderModel
import LarderStoreBase

/// A data source whose entries are the objects of a class in a Realm file, in the order of their
/// object keys.
///
/// That is roughly the order of creation, and the only order in which the cost of a page does not
/// depend on its position. Page reads and scans each run on their own queue, where their futures
/// complete. A scan may read each batch of objects from a newer version of the file, so that
/// frequent writes by other programs do not keep it from making progress.
final class RealmEntrySource: EntrySource {
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

  func read(_ keys: [EntryKey]) -> Future<[Entry]> {
    read(pages) { lookup in try keys.map { try lookup.entry($0).found($0) } }
  }

  func answer(_ query: CountQuery) -> Future<Entry> {
    if query.filter == nil, query.prefix.isEmpty, !query.measures {
      return read(pages) { lookup in
        query.scan?.report(examined: lookup.found.count, position: nil, isComplete: true)
        return CountQuery.answer(lookup.found.count)
      }
    }
    guard query.precision == .exact else { return query.unsupported() }
    return scans.future { [self] flag in try RealmScan(self, flag).count(query) }
  }

  func answer(_ query: EntryPageQuery) -> Future<[Entry]> {
    let isScan = query.filter != nil || !query.prefix.isEmpty || query.inKeyOrder == nil
    return (isScan ? scans : pages).future { [self] flag in
      try query.checkOrder([.types, .columns])
      return try RealmScan(self, flag).page(query)
    }
  }

  func answer(_ query: EntriesQuery) -> Future<[Entry]> {
    read(pages) { lookup in try query.answer { try lookup.entry($0) } }
  }

  func answer(_ query: PrefixSummaryQuery) -> Future<[Entry]> {
    guard query.page.filter == nil else { return query.unsupported() }
    return scans.future { [self] flag in try RealmScan(self, flag).tree(query) }
  }

  func put(_ writes: [EntryWrite]) -> Future<[Entry]> { Future(refusal) }

  func rename(_ renames: [RenameQuery], _ scan: Scan?) -> Future<[Entry]> { Future(refusal) }

  func answer(_ query: ChangesQuery) -> Future<[Entry]> { Future(refusal) }

  func answer(_ request: DeleteRequest) -> Future<Void> { Future(refusal) }

  private var refusal: StoreError {
    .onlyRead(file.path, "a Realm file")
  }

  /// Calls a closure with one consistent version of the file.
  func read<Value>(_ body: (RealmLookup) throws -> Value) throws -> Value {
    do {
      return try file.read { reading in
        let found = try reading.requireClass(className)
        return try body(
          RealmLookup(reading: reading, found: found, places: places, path: file.path))
      }
    } catch let error as RealmError {
      throw StoreError(realm: error, file.path)
    }
  }

  private func read<Value: Sendable>(
    _ queue: DispatchQueue,
    _ body: @escaping @Sendable (RealmLookup) throws -> Value
  ) -> Future<Value> {
    queue.future { [self] flag in
      let value = try read(body)
      try flag.check()
      return value
    }
  }
}
