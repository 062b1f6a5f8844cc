#if Keychain
public import Foundation

/// What the keychain tells of a key without its secret.
public struct KeychainItem: Sendable, Hashable {
  /// The key.
  public let key: String
  /// How the item is called in the desktop's program for passwords.
  public let label: String
  /// When the key was first stored; nil where the keychain does not know.
  public let created: Date?
  /// When the secret was last stored, to the second; nil where the keychain does not know.
  public let modified: Date?
}

extension KeychainItem {
  init(_ item: SecretItemReference, key: String) {
    self.key = key
    label = item.label
    created = Self.date(item.created)
    modified = Self.date(item.modified)
  }

  private static func date(_ seconds: UInt64) -> Date? {
    seconds == 0 ? nil : Date(timeIntervalSince1970: Double(seconds))
  }
}
#endif
