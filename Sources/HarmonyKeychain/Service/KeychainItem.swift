#if Keychain
public import Foundation

/// The metadata of a key, without its secret.
public struct KeychainItem: Sendable, Hashable {
  /// The key.
  public let key: String
  /// The label in the desktop's password manager.
  public let label: String
  /// The date at which the key was first stored; nil if the keychain does not record it.
  public let created: Date?
  /// The date at which the secret was last stored, to the second; nil if not recorded.
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
