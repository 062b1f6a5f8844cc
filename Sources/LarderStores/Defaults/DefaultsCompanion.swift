import LarderFiles
import Foundation
import Harmony
import LarderModel
import LarderDocuments

/// The journal that `DeviceStorageDataSource` keeps beside the property list of a domain.
///
/// What it holds and the list does not is shown as if the list held it, and the first write puts
/// it there. Sources that are open elsewhere wait for the lock meanwhile, and learn of the write by
/// the journal.
struct DefaultsCompanion: DocumentCompanion {
  let domain: DefaultsDomain
  /// How long it waits for the lock before it asks whether anybody still wants it.
  private static let turn = Duration.milliseconds(50)

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
      pending = try domain.pending { Self.object($0, $1, in: document) }
    } catch {
      throw StoreError.failed(
        "the journal \(domain.journal ?? domain.list) cannot be read: \(StoreError(error).message)")
    }
    var changes: [DocumentChange] = []
    var roots: Set<[UInt8]> = []
    // Members of one dictionary that is not there yet come after the dictionary.
    for change in pending.sorted(by: { $0.place.lexicographicallyPrecedes($1.place) }) {
      let value = try change.value.map { try stored($0, change.key) }
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

  func whileLocked<Result>(
    patience: Duration, scan: Scan?, _ body: () throws -> Result
  ) throws -> Result {
    // What the body throws is its own affair, and not that of the lock.
    var result: Swift.Result<Result, any Error>?
    let end = ContinuousClock.now + patience
    while true {
      let turn = min(ContinuousClock.now + Self.turn, end)
      do {
        try domain.whileLocked(patience: ContinuousClock.now.duration(to: turn)) {
          result = Swift.Result { try body() }
        }
        break
      } catch {
        // What fails before its turn is over does not wait for another program.
        let now = ContinuousClock.now
        guard now >= turn, now < end else {
          let folder = URL(fileURLWithPath: domain.list).deletingLastPathComponent().path
          if now < turn, let number = WriteObstacle.number(folder) { throw FileFailure(number) }
          throw StoreError.busy(
            "another program is writing to the defaults \(domain.list), or its lock cannot be had; "
              + "nothing was written, try again")
        }
      }
      try scan?.reportWaiting()
    }
    guard let result else { throw StoreError.cancelled }
    return try result.get()
  }

  func keep(_ bytes: [UInt8]) throws {
    guard let list = try? PropertyListDocument(parsing: bytes) else {
      return try domain.keepDamaged(bytes)
    }
    let names = list.members.compactMap { step in
      if case .name(let name, _) = step { name } else { nil }
    }
    try domain.keepCopy(keys: Set(names))
  }

  func settle(_ document: PropertyListDocument) throws {
    do {
      try domain.settle { Self.object($0, $1, in: document) }
    } catch {
      throw StoreError.failed(
        "\(domain.list) is written, but its journal beside it could not be told, so that another "
          + "program may undo it: \(StoreError(error).message)")
    }
  }

  /// A value of the journal, which must not be taken for a removal where nothing can show it.
  func stored(_ object: Any, _ key: String) throws(StoreError) -> StoredValue {
    guard let value = StoredValue(propertyList: object) else {
      throw .failed(
        "the journal \(domain.journal ?? domain.list) holds a value of \(EntryKey.text(key).spoken) "
          + "that is of no type that larder can show")
    }
    return value
  }

  private static func path(_ root: String?, _ key: String) -> [DocumentStep] {
    (root.map { [.name($0)] } ?? []) + [.name(key)]
  }

  /// What the list holds of a key: something that is no value of defaults where it has none for it.
  private static func object(
    _ root: String?, _ key: String, in document: PropertyListDocument
  ) -> Any? {
    let value = try? document.value(at: path(root, key))
    return value.map { $0.propertyList ?? NSNull() }
  }
}

extension DefaultsDomain.Pending {
  /// What sorts changes, so that two readings are the same document.
  fileprivate var place: [UInt8] {
    (root.map { Array($0.utf8) } ?? []) + [0] + Array(key.utf8)
  }
}
