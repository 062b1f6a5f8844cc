#if Keychain
import CLibSecret
package import Foundation

/// The keys of a service, during one call: what is read and written in it has no other call of the
/// same keychain between.
///
/// Must not be kept.
package struct KeychainCall {
  let store: KeychainStore

  var session: SecretSession { store.session }

  func all() throws -> [(key: String, item: SecretItemReference)] { try store.all() }

  /// Reads a secret into memory that is overwritten afterwards; nil where there is no such key.
  package func read<Result>(
    _ key: String, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result? {
    try store.read(key, body)
  }

  package func write(_ bytes: UnsafeRawBufferPointer, under key: String) throws {
    try store.write(bytes, under: key)
  }

  package func remove(_ key: String) throws -> Bool { try store.remove(key) }

  package func rename(_ key: String, to newKey: String) throws -> Bool {
    try store.rename(key, to: newKey)
  }

  /// What is told of a key without its secret; nil where there is no such key.
  package func item(_ key: String) throws -> KeychainItem? {
    guard let item = try store.items(of: key).first else { return nil }
    if item.isLocked { throw KeychainError.locked(nil) }
    return KeychainItem(item, key: key)
  }

  package func items() throws -> [KeychainItem] {
    try store.all().map { KeychainItem($0.item, key: $0.key) }
  }
}

extension Data {
  /// Overwrites the bytes, for good; a copy that somebody else has keeps its own.
  package mutating func wipe() {
    withUnsafeMutableBytes { bytes in
      if let start = bytes.baseAddress { ck_wipe(start, bytes.count) }
    }
    self = Data()
  }
}
#endif
