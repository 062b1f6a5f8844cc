#if Keychain
import CLibSecret
import Foundation
import Harmony

/// The keys of a service during one call.
///
/// A key is an item with the attributes `service` and `account`. Items of other programs with
/// `username` and items with further attributes are keys too. If several items have the same key,
/// one without other attributes takes precedence, then the one stored last.
struct KeychainStore {
  let session: SecretSession
  let service: String

  /// The maximum number of attempts to write while another program removes the item.
  private static let attempts = 4

  /// Returns all items of the service that have a key, in the order of the keys.
  func all() throws -> [(key: String, item: SecretItemReference)] {
    let items = try session.items(SecretAttributes(["service": service]))
    // A locked item may not even reveal its attributes, so the list would be incomplete.
    if items.contains(where: \.isLocked) { throw KeychainError.locked(nil) }
    var chosen: [Data: (key: String, items: [SecretItemReference])] = [:]
    for item in items {
      guard let key = item.attributes.key else { continue }
      chosen[Data(key.utf8), default: (key, [])].items.append(item)
    }
    return chosen.values
      .compactMap { key, items in first(of: items).map { (key, $0) } }
      .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
  }

  /// Returns all items of a key, including locked ones, the one that takes precedence first.
  func items(of key: String) throws -> [SecretItemReference] {
    var found: [SecretItemReference] = []
    for name in SecretAttributes.keyNames {
      found += try session.items(SecretAttributes(["service": service, name: key]))
        .filter { $0.isLocked || $0.attributes.keyName == name }
      // An item that takes precedence over all others ends the search.
      if found.contains(where: { !$0.isLocked && isPlain($0) }) { break }
    }
    guard let first = first(of: found) else { return [] }
    return [first] + found.filter { $0 !== first }
  }

  /// Calls a closure with the secret of a key, which it must not store; nil if there is no such
  /// key.
  func read<Result>(
    _ key: String, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result? {
    guard let item = try items(of: key).first else { return nil }
    if item.isLocked { throw KeychainError.locked(nil) }
    return try session.secret(of: item, body)
  }

  /// Stores a secret, atomically replacing any previous one.
  func write(_ bytes: UnsafeRawBufferPointer, under key: String) throws {
    for _ in 0..<Self.attempts {
      guard let item = try items(of: key).first else {
        let attributes = SecretAttributes(["service": service, "account": key])
        return try session.create(attributes, label: label(of: key), with: bytes)
      }
      if item.isLocked { throw KeychainError.locked(nil) }
      if try session.replace(item, with: bytes) { return }
    }
    throw KeychainError(.failed, "other programs keep removing the key; try again")
  }

  /// Removes all items of a key; returns false if there were none.
  func remove(_ key: String) throws -> Bool {
    var found: [SecretItemReference] = []
    for name in SecretAttributes.keyNames {
      found += try session.items(SecretAttributes(["service": service, name: key]))
        .filter { $0.isLocked || $0.attributes.keyName == name }
    }
    if found.contains(where: \.isLocked) { throw KeychainError.locked(nil) }
    for item in found { try session.delete(item) }
    return !found.isEmpty
  }

  /// Atomically renames a key; returns false if there is no such key.
  func rename(_ key: String, to newKey: String) throws -> Bool {
    let found = try items(of: key)
    if found.contains(where: \.isLocked) { throw KeychainError.locked(nil) }
    guard let item = found.first else { return false }
    let old = label(of: key)
    var attributes = item.attributes
    attributes.values[attributes.keyName ?? "account"] = newKey
    guard try session.setAttributes(item, attributes) else { return false }
    if item.label == old { session.setLabel(item, label(of: newKey)) }
    return true
  }

  private func label(of key: String) -> String {
    key.isEmpty ? service : "\(service): \(key)"
  }

  private func isPlain(_ item: SecretItemReference) -> Bool {
    item.attributes.values.keys.allSatisfy { ["service", "account", "xdg:schema"].contains($0) }
  }

  private func first(of items: [SecretItemReference]) -> SecretItemReference? {
    items.max { left, right in
      if left.isLocked != right.isLocked { return left.isLocked }
      let isPlain = (isPlain(left), isPlain(right))
      if isPlain.0 != isPlain.1 { return isPlain.1 }
      if left.modified != right.modified { return left.modified < right.modified }
      return left.path < right.path
    }
  }
}
#endif
