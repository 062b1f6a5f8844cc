import Foundation
import Harmony
import LarderCore

/// The journal that `DeviceStorageDataSource` keeps beside the property list of a domain.
///
/// What it holds and the list does not is shown as if the list held it, and the first write puts
/// it there. Sources that are open elsewhere wait for the lock meanwhile, and learn of the write by
/// the journal.
struct DefaultsCompanion: DocumentCompanion {
  let domain: DefaultsDomain

  var emptyBytes: [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      </dict>
      </plist>

      """.utf8)
  }

  func stamp() -> [Int] { domain.state }

  var paths: [String] { [domain.journalPath] }

  func bytesBefore() -> [UInt8]? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: domain.copy)) else { return nil }
    return [UInt8](data)
  }

  func changes(to document: PropertyListDocument) throws -> [DocumentChange] {
    let pending: [DefaultsDomain.Pending]
    do {
      pending = try domain.pending { Self.value($0, $1, in: document) == nil }
    } catch {
      throw StoreError.failed(
        "the journal \(domain.journal ?? domain.list) cannot be read: \(StoreError(error).message)")
    }
    var changes: [DocumentChange] = []
    var roots: Set<[UInt8]> = []
    // Members of one dictionary that is not there yet come after the dictionary.
    for change in pending.sorted(by: { $0.place.lexicographicallyPrecedes($1.place) }) {
      let value = change.value.flatMap { StoredValue(propertyList: $0) }
      let path = Self.path(change.root, change.key)
      guard let value else {
        if try document.value(at: path) != nil { changes.append(.remove(path)) }
        continue
      }
      if let root = change.root, roots.insert(Array(root.utf8)).inserted,
        try document.type(at: [.name(root)]) != .dictionary
      {
        changes.append(.set([.name(root)], .dictionary([])))
      }
      changes.append(.set(path, value))
    }
    return changes
  }

  func makeFolder() throws {
    let folder = URL(fileURLWithPath: domain.list).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError.readOnly("the folder \(folder.path) cannot be made; nothing was written")
    }
  }

  func whileLocked<Result>(patience: Duration, _ body: () throws -> Result) throws -> Result {
    // What the body throws is its own affair, and not that of the lock.
    var result: Swift.Result<Result, any Error>?
    do {
      try domain.whileLocked(patience: patience) { result = Swift.Result { try body() } }
    } catch {
      throw StoreError.busy(
        "another program is writing to the defaults \(domain.list), or its lock cannot be had; "
          + "nothing was written, try again")
    }
    guard let result else { throw StoreError.cancelled }
    return try result.get()
  }

  func settle(_ document: PropertyListDocument) throws {
    do {
      try domain.settle { root, key in
        Self.value(root, key, in: document).flatMap(\.propertyList)
      }
    } catch {
      throw StoreError.failed(
        "\(domain.list) is written, but its journal beside it could not be told, so that another "
          + "program may undo it: \(StoreError(error).message)")
    }
  }

  private static func path(_ root: String?, _ key: String) -> [DocumentStep] {
    (root.map { [.name($0)] } ?? []) + [.name(key)]
  }

  private static func value(
    _ root: String?, _ key: String, in document: PropertyListDocument
  ) -> StoredValue? {
    try? document.value(at: path(root, key))
  }
}

extension DefaultsDomain.Pending {
  /// What sorts changes, so that two readings are the same document.
  fileprivate var place: [UInt8] {
    (root.map { Array($0.utf8) } ?? []) + [0] + Array(key.utf8)
  }
}
