import Foundation
import LarderModel
import LarderStoreBase

/// Directories that contain several stores, such as the sandbox of an app.
///
/// Each store inside is a collection with its relative path as the name. A table of a database is
/// named by that path, `#` and the table name, and `.` is the directory itself as a folder of
/// files. A cache that stores large values in files next to its database is also such a directory,
/// and opens as the table of its entries. Any other directory with a store inside is a container
/// only if the location names that store.
enum ContainerKind: OpenableKind {
  static let kind = StoreKind(
    name: "container",
    recognizedBy: "an app's directory (shared_prefs, databases, files/datastore, "
      + "Library/Preferences), a diskcache directory, or any directory with several databases",
    collections: "the stores inside, and . for the files", keys: "those of each store",
    holdsStores: true)

  /// The name of the collection for the directory itself.
  static let files = "."

  static func recognize(_ probe: StoreProbe) -> String? {
    guard case .folder = probe.target else { return nil }
    if probe.collection == files { return nil }
    let walk = ContainerWalk(probe.location.path)
    if let evidence = walk.evidence { return evidence }
    guard probe.collection != nil, !walk.found.isEmpty else { return nil }
    return Messages.storeInside
  }

  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    let folder = probe.location.path
    let walk = ContainerWalk(folder)
    var collections: [StoreCollection] = []
    for found in walk.found {
      collections += await Self.collections(of: found, in: folder, options)
    }
    // The entries of a cache come before the other tables of its database.
    let entries = walk.cache.flatMap { cache in
      cache.files.map { "\($0.database)#\(cache.table)" }
    }
    if let place = collections.firstIndex(where: { $0.name == entries }) {
      collections.insert(collections.remove(at: place), at: 0)
    }
    collections.append(
      StoreCollection(
        name: files, form: "folder", isWritable: !options.isReadOnly, keys: "paths"))
    let names = collections.dropLast().map(\.name)
    return OpenStore(
      kind: kind, location: probe.location, evidence: evidence,
      readOnlyReason: options.isReadOnly ? OpeningMessages.openedReadOnly : nil,
      collections: collections,
      facts: [OpenStore.Fact("stores", String(walk.found.count))],
      opening: { name, key in
        let isOnly = names.count == 1 && walk.unreadable.isEmpty
        guard let name = name ?? names.first(where: { isOnly || $0 == entries }) else {
          throw StoreError.severalStores(in: folder, Array(names), unreadable: walk.unreadable)
        }
        return try await store(name, in: folder, options, key)
      })
  }

  /// Opens a store inside the container as its own kind.
  private static func store(
    _ name: String, in folder: String, _ options: OpenOptions, _ key: KeyChoice?
  ) async throws -> Store {
    guard name != files else {
      let probe = try StoreProbe(StoreLocation(path: folder))
      return try await FolderKind.open(probe, evidence: "", options: options)
        .store(nil, key: key)
    }
    let candidates = ContainerWalk(folder).found.filter { isPart(name, of: $0.name) }
    // A file name may contain the separator: prefer the file `a#b` to the table b of a file `a`.
    guard let found = candidates.max(by: { $0.name.utf8.count < $1.name.utf8.count }) else {
      throw StoreError.missing(
        "store", name, in: folder, of: ContainerWalk(folder).found.map(\.name))
    }
    let open = try await open(found, in: folder, options)
    let rest = name.utf8.dropFirst(found.name.utf8.count + 1)
    return try await open.store(rest.isEmpty ? nil : String(Substring(rest)), key: key)
  }

  private static func isPart(_ name: String, of store: String) -> Bool {
    guard name.utf8.starts(with: store.utf8) else { return false }
    let rest = name.utf8.dropFirst(store.utf8.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "#")
  }

  private static func open(
    _ found: ContainerWalk.Found, in folder: String, _ options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    let probe = try StoreProbe(StoreLocation(path: folder + "/" + found.name))
    return try await found.kind.open(
      probe, evidence: found.kind.recognize(probe) ?? "", options: options)
  }

  /// Returns the collections of a store inside the container: its own, or one for the store itself.
  private static func collections(
    of found: ContainerWalk.Found, in folder: String, _ options: OpenOptions
  ) async -> [StoreCollection] {
    // Do not wait for locked stores when only listing them; opening one waits.
    var options = options
    options.busyTimeout = .milliseconds(50)
    do throws(StoreError) {
      let open = try await open(found, in: folder, options)
      guard open.collections.isEmpty else {
        return open.collections.map { inner in
          StoreCollection(
            name: "\(found.name)#\(inner.name)", form: inner.form, isWritable: inner.isWritable,
            keys: inner.keys, readOnlyReason: inner.readOnlyReason ?? open.readOnlyReason,
            program: inner.program)
        }
      }
      return [
        StoreCollection(
          name: found.name, form: open.kind.name, isWritable: open.readOnlyReason == nil,
          keys: "names", readOnlyReason: open.readOnlyReason)
      ]
    } catch {
      return [
        StoreCollection(
          name: found.name, form: Messages.notOpenNow(found.kind.kind),
          isWritable: false, keys: "names")
      ]
    }
  }
}
