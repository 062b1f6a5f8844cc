import LarderFiles
import Foundation
public import LarderModel
public import LarderJournal

extension Stores {
  /// The stores that a text typed by a user means, under the names that a journal has for them.
  ///
  /// A database without `#NAME` is all its tables, a container all the stores inside.
  ///
  /// - Parameter text: The location as it is typed; its file may be gone.
  /// - Returns: The stores, with the one path without links that a file has.
  /// - Throws: ``StoreError`` where a URL of a file stands for no path here.
  public static func journalPlace(fromText text: String) throws(StoreError) -> JournalPlace {
    let location = try location(fromText: text)
    if let scheme = StoreProbe.scheme(of: location.path) {
      guard scheme == LiveKind.kind.name else { return .store(location) }
      let path = String(location.path.dropFirst(scheme.count + 1))
      return .store(
        StoreLocation(path: LiveKind.place(path), collection: location.collection))
    }
    let path = ResolvedPath.evenIfMissing(location.path)
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard isFolder.boolValue else {
      return .store(StoreLocation(path: path, collection: location.collection))
    }
    guard let name = location.collection else {
      let probe = try? StoreProbe(StoreLocation(path: path))
      let isContainer = probe.map { ContainerKind.recognise($0) != nil } ?? false
      return isContainer ? .everything(inside: path) : .store(StoreLocation(path: path))
    }
    guard name != ContainerKind.files else { return .store(StoreLocation(path: path)) }
    // A store inside has its own name, as when it is opened by itself.
    var inner = StoreLocation(path + "/" + name) { FileManager.default.fileExists(atPath: $0) }
    inner.path = ResolvedPath.evenIfMissing(inner.path)
    return .store(inner)
  }

  /// Opens the store of a step, with the journal that has it.
  ///
  /// - Parameters:
  ///   - record: The step.
  ///   - options: Whether anything may be written later, and how long to wait for locks.
  ///   - journal: The journal.
  /// - Returns: The store, whose history has the step.
  /// - Throws: ``StoreError`` with a sentence about what is wrong with the location.
  public static func store(
    of record: JournalRecord, options: OpenOptions, journal: Journal
  ) async throws -> Store {
    let open = try await open(record.location, options: options, journal: journal)
    // The files of a directory are a store of their own only while nothing else is in it.
    let files = open.kind == ContainerKind.kind ? ContainerKind.files : nil
    let store = try await open.store(record.location.collection ?? files)
    // A change can also make an archive of a list, whose objects are only shown.
    guard open.kind == PropertyListKind.kind, record.location.collection == nil,
      store.location.collection == PropertyListKind.Archive.objects, open.readOnlyReason == nil
    else { return store }
    return try await Stores.open(record.location, options: options)
      .store(PropertyListKind.Archive.list)
      .recording(in: journal, at: record.location)
  }
}
