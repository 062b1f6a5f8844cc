import Foundation
import Harmony
import LarderCore

/// Folders: every file below is an entry under its relative path.
enum FolderKind: OpenableKind {
  static let kind = StoreKind(
    name: "folder", recognisedBy: "any other directory", collections: "–",
    keys: "the path of a file relative to the folder", isAtomic: false,
    withoutValue: "links or special files", delimiter: "/",
    types: [.text, .data])

  static func recognise(_ probe: StoreProbe) -> String? {
    guard case .folder = probe.target else { return nil }
    return "the location is a directory"
  }

  static func open(
    _ probe: StoreProbe, evidence: String, options: OpenOptions
  ) async throws(StoreError) -> OpenStore {
    let path = probe.location.path
    do throws(FileFailure) {
      _ = try FolderDescriptor(root: path)
    } catch {
      throw FileSentences(path, isFolder: true).storeError(error, .opening)
    }
    var capabilities: StoreCapabilities = [
      .ordered, .searchable, .modified, .changeFeed, .prefixes,
    ]
    let isReadOnly = options.isReadOnly
    let reason = isReadOnly ? WriteObstacle.asked : WriteObstacle.ofFolder(path)
    if reason == nil { capabilities.formUnion([.writable, .creates]) }
    let remarks = Remarks()
    let source = FolderEntrySource(
      path: path, isReadOnly: isReadOnly, patience: options.busyTimeout, remarks: remarks)
    let store = Store(
      kind: kind, location: probe.location, capabilities: capabilities, keyStyle: .text,
      readOnlyReason: reason, remarks: remarks, source: AnyDataSource(source))
    return OpenStore(
      kind: kind, location: probe.location, evidence: evidence, readOnlyReason: reason
    ) { collection in
      // A directory that is also a container has this name for its files.
      if let collection, collection != "." {
        throw StoreError.cannotOpen(
          "\(path) is a folder, which has no collection \"\(collection)\"")
      }
      return store
    }
  }
}
