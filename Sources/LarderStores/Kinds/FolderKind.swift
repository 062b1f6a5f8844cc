import LarderFiles
import Foundation
import Harmony
import LarderModel
import LarderStoreBase

/// Folders: every file inside is an entry with its relative path as the key.
enum FolderKind: OpenableKind {
  static let kind = StoreKind(
    name: "folder", recognizedBy: "any other directory", collections: "–",
    keys: "the path of a file relative to the folder", isAtomic: false,
    holdsFiles: true, withoutValue: "links or special files", delimiter: "/",
    types: [.text, .data])

  static func recognize(_ probe: StoreProbe) -> String? {
    guard case .folder = probe.target else { return nil }
    return Messages.directory
  }

  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    let path = probe.location.path
    let root: FolderDescriptor
    do throws(FileFailure) {
      root = try FolderDescriptor(root: path)
    } catch {
      throw FileMessages(path, isFolder: true).storeError(error, .opening)
    }
    var capabilities: StoreCapabilities = [
      .ordered, .searchable, .modified, .prefixes,
    ]
    let cache = FolderListingCache()
    let expiry = expiry(of: root, path, options, cache)
    let isReadOnly = options.isReadOnly
    let database = root.databaseName
    let reason =
      isReadOnly
      ? OpeningMessages.openedReadOnly
      : database.map(WriteObstacle.ofFiles) ?? WriteObstacle.ofFolder(path)
    if reason == nil { capabilities.formUnion([.writable, .creates]) }
    let warnings = WarningCollector()
    let source = FolderEntrySource(
      path: path, isReadOnly: isReadOnly, patience: options.busyTimeout, warnings: warnings,
      expiry: expiry, cache: cache)
    let store = Store(
      kind: kind, location: probe.location, capabilities: capabilities, keyStyle: .text,
      readOnlyReason: reason, warnings: warnings, source: AnyDataSource(source),
      expiry: expiry == nil ? nil : source, dryRun: source,
      changeFeed: { FileChangeFeed([.folder(path)]) }, undoSupport: FolderUndo())
    return OpenStore(
      store, evidence: evidence,
      facts: (database.map { [OpenStore.Fact("database", $0)] } ?? [])
        + (expiry.map { [OpenStore.Fact("expiry", $0.spoken)] } ?? []),
      // The files of a directory that is also a container are the collection `.`.
      alias: ContainerKind.files)
  }

  /// Returns the rule for the expiry of files: the user's setting, or else what is detected.
  private static func expiry(
    of root: FolderDescriptor, _ path: String, _ options: OpenOptions,
    _ cache: FolderListingCache
  ) -> FolderExpiry? {
    let choice = options.expiry(of: [path, ResolvedPath.of(path)].compactMap(\.self)).choice
    if let asked = options.timeToLive { return .afterWriting(asked) }
    if choice.isNone { return nil }
    return choice.timeToLive.map { .afterWriting($0) } ?? .recognized(in: root, at: path, cache)
  }
}
