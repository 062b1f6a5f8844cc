#if Keychain
import Foundation
public import Harmony

/// An error of the keychain.
///
/// The description is a sentence that includes what to do. It contains the names of services and
/// collections, but never a secret.
public struct KeychainError: CodedError, Hashable {
  /// The kinds of failure that a program handles differently.
  public enum Reason: Int, Sendable, Hashable, CaseIterable {
    /// No keychain can be reached: there is no session bus, no program provides the service, or
    /// libsecret is not installed.
    case unavailable = 1
    /// The keychain, or the collection that contains the key, is locked.
    case locked = 2
    /// There was no answer within the time limit.
    case timedOut = 3
    /// The user dismissed the desktop's prompt.
    case dismissed = 4
    /// Any other failure.
    case failed = 5
  }

  /// The domain of all errors of this type.
  public static var errorDomain: String { "HarmonyKeychain.KeychainError" }

  /// The domain of all errors of this type.
  public var domain: String { Self.errorDomain }

  /// The code of the reason.
  public var code: Int { reason.rawValue }

  /// The kind of failure.
  public let reason: Reason

  /// A description of what happened and what to do.
  public let description: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - reason: The kind of failure.
  ///   - description: A description of what happened and what to do.
  public init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }

  /// The status code that Apple's keychain uses for such a failure.
  public var status: OSStatus {
    switch reason {
    case .unavailable: -25291
    case .locked: -25308
    case .timedOut: -1712
    case .dismissed: -128
    case .failed: -36
    }
  }

  /// The equivalent error of Harmony's keychain source on Apple platforms.
  public var asStatusFailure: CoreError.OSStatusFailure {
    CoreError.OSStatusFailure(status, description)
  }
}

extension KeychainError {
  static let noBus = KeychainError(
    .unavailable,
    "there is no session bus, which keychains require; run this in a desktop session, or under "
      + "dbus-run-session with a keychain: gnome-keyring-daemon --unlock --components=secrets, with the "
      + "password on stdin")

  static let noLibrary = KeychainError(
    .unavailable,
    "keychains require libsecret, which could not be loaded; install it (on Debian and Ubuntu: "
      + "apt-get install libsecret-1-0) and restart this program")

  static let noService = KeychainError(
    .unavailable,
    "nothing provides the Secret Service on the session bus; start a keychain, such as "
      + "gnome-keyring-daemon --start --components=secrets, KeePassXC or KWallet")

  static let noCollection = KeychainError(
    .unavailable,
    "the Secret Service has no default collection for new keys; create one in the desktop's password "
      + "manager, or with gnome-keyring-daemon --unlock and a password on stdin")

  static func locked(_ collection: String?) -> KeychainError {
    let which = collection.flatMap { $0.isEmpty ? nil : " (collection “\($0)”)" } ?? ""
    return KeychainError(
      .locked,
      "the keychain is locked\(which); unlock it in the desktop's password manager, by logging in "
        + "again, or with unlock(), which lets the desktop ask for the password")
  }

  static func timedOut(_ limit: Duration, isWrite: Bool) -> KeychainError {
    let waited = limit.formatted(.units(allowed: [.minutes, .seconds, .milliseconds]))
    let unknown = isWrite ? ", so the key may or may not have changed" : ""
    return KeychainError(
      .timedOut,
      "the keychain did not answer within \(waited)\(unknown). It may be stopped, or "
        + "waiting for input in a hidden window; check its program")
  }
}

/// A status code of a keychain call, as on Apple platforms; 0 means success.
public typealias OSStatus = Int32
#endif
