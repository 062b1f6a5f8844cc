#if Keychain
import CLibSecret
package import Foundation

/// The keys of a service during one call, without interference by other calls of the same keychain.
///
/// It must not be stored.
package struct KeychainCall {
  let store: KeychainStore

  var session: SecretSession { store.session }

  func all() throws -> [(key: String, item: SecretItemReference)] { try store.all() }

  /// Calls a closure with a secret, which is overwritten afterwards; nil if there is no such key.
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

  /// Returns the metadata of a key; nil if there is no such key.
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
  /// Overwrites the bytes in place; other copies are not affected.
  package mutating func wipe() {
    withUnsafeMutableBytes { bytes in
      if let start = bytes.baseAddress { ck_wipe(start, bytes.count) }
    }
    self = Data()
  }
}
#endif
