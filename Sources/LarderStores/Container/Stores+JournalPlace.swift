import LarderFiles
import Foundation
public import LarderModel
public import LarderJournal
import LarderStoreBase

extension Stores {
  /// Returns the stores that a location typed by a user refers to, under the locations used in the
  /// journal.
  ///
  /// A database without `#NAME` refers to all its tables, and a container to all stores inside it.
  ///
  /// - Parameter text: The location as typed; its file may have been deleted.
  /// - Returns: The stores, by paths without links.
  /// - Throws: ``StoreError`` if a file URL does not refer to a local path, or the location of a
  ///   server is not valid.
  public static func journalPlace(fromText text: String) throws(StoreError) -> JournalScope {
    let location = try location(fromText: text)
    if StoreKinds.scheme(of: location.path) != nil {
      let probe = try StoreProbe(StoreLocation(path: location.path))
      let kind = StoreKinds.known.first { $0.recognize(probe) != nil }
      return .store(try kind?.resolved(location) ?? location)
    }
    let path = ResolvedPath.evenIfMissing(location.path)
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard isFolder.boolValue else {
      return .store(StoreLocation(path: path, collection: location.collection))
    }
    guard let name = location.collection else {
      let probe = try? StoreProbe(StoreLocation(path: path))
      let isContainer = probe.map { ContainerKind.recognize($0) != nil } ?? false
      return isContainer ? .everything(inside: path) : .store(StoreLocation(path: path))
    }
    guard name != ContainerKind.files else { return .store(StoreLocation(path: path)) }
    // A store inside a container has the same location as when it is opened directly.
    var inner = StoreLocation(path + "/" + name) { FileManager.default.fileExists(atPath: $0) }
    inner.path = ResolvedPath.evenIfMissing(inner.path)
    return .store(inner)
  }

  /// Opens the store that a recorded change belongs to.
  ///
  /// - Parameters:
  ///   - record: The change.
  ///   - options: The options, such as whether writing is allowed and how long to wait for locks.
  ///   - journal: The journal that contains the change.
  /// - Returns: The store, whose history contains the change.
  /// - Throws: ``StoreError`` if the location cannot be opened.
  public static func store(
    of record: JournalRecord, options: OpenOptions, journal: Journal
  ) async throws -> Store {
    let open = try await open(record.location, options: options, journal: journal)
    // A directory of files is opened as a container once it contains other stores.
    let files = open.kind == ContainerKind.kind ? ContainerKind.files : nil
    let store = try await open.store(record.location.collection ?? files)
    // A change can turn a property list into an archive, whose objects are read-only.
    guard open.kind == PropertyListKind.kind, record.location.collection == nil,
      store.location.collection == PropertyListKind.Archive.objects, open.readOnlyReason == nil
    else { return store }
    return try await Stores.open(record.location, options: options)
      .store(PropertyListKind.Archive.list)
      .recording(in: journal, at: record.location)
  }
}
