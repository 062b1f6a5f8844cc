#if Keychain
import Foundation
public import Harmony

/// Why the keychain did not do what it was asked for.
///
/// The description is a sentence that says what to do. It names services and collections, never a
/// secret.
public struct KeychainError: CodedError, Hashable {
  /// The kinds of failure that a program treats differently.
  public enum Reason: Int, Sendable, Hashable, CaseIterable {
    /// No keychain can be reached: there is no session bus, nothing that provides the
    /// service, or no libsecret to reach it with.
    case unavailable = 1
    /// The keychain, or the part of it that holds the key, is locked.
    case locked = 2
    /// There was no answer within the time limit.
    case timedOut = 3
    /// The user dismissed the question of the desktop.
    case dismissed = 4
    /// Anything else.
    case failed = 5
  }

  /// The domain of all errors of this type.
  public static var errorDomain: String { "HarmonyKeychain.KeychainError" }

  /// The domain of all errors of this type.
  public var domain: String { Self.errorDomain }

  /// The number of the reason.
  public var code: Int { reason.rawValue }

  /// What kind of failure it is.
  public let reason: Reason

  /// What happened and what to do.
  public let description: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - reason: What kind of failure it is.
  ///   - description: What happened and what to do.
  public init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }

  /// The number that Apple's keychain has for such a failure.
  public var status: OSStatus {
    switch reason {
    case .unavailable: -25291
    case .locked: -25308
    case .timedOut: -1712
    case .dismissed: -128
    case .failed: -36
    }
  }

  /// The same as the error that Harmony's keychain of Apple's systems answers with.
  public var asStatusFailure: CoreError.OSStatusFailure {
    CoreError.OSStatusFailure(status, description)
  }
}

extension KeychainError {
  static let noBus = KeychainError(
    .unavailable,
    "there is no session bus, on which keychains are reached; run this in a desktop session, or "
      + "under dbus-run-session with a keychain started in it: "
      + "gnome-keyring-daemon --unlock --components=secrets, with the password as its input")

  static let noLibrary = KeychainError(
    .unavailable,
    "keychains are reached through libsecret, which could not be loaded; install it (on "
      + "Debian and Ubuntu: apt-get install libsecret-1-0) and start this program again")

  static let noService = KeychainError(
    .unavailable,
    "nothing provides the Secret Service on the session bus; start a keychain, such as "
      + "gnome-keyring-daemon --start --components=secrets, KeePassXC or KWallet")

  static let noCollection = KeychainError(
    .unavailable,
    "the Secret Service has no default collection to keep new keys in; make one in the desktop's "
      + "program for passwords, or let gnome-keyring-daemon --unlock make one, with a password as "
      + "its input")

  static func locked(_ collection: String?) -> KeychainError {
    let which = collection.flatMap { $0.isEmpty ? nil : " (collection \"\($0)\")" } ?? ""
    return KeychainError(
      .locked,
      "the keychain is locked\(which); unlock it in the desktop's program for passwords, by "
        + "logging in again, or by unlock(), which lets the desktop ask for its password")
  }

  static func timedOut(_ limit: Duration, isWrite: Bool) -> KeychainError {
    let waited = limit.formatted(.units(allowed: [.minutes, .seconds, .milliseconds]))
    let unknown =
      isWrite ? "; whether anything was changed is not known, so look at the key" : ""
    return KeychainError(
      .timedOut,
      "the keychain did not answer within \(waited)\(unknown). It may be stopped, or wait for an "
        + "answer in a window that is not visible; look at the program that provides it")
  }
}

/// A number that says how a call of a keychain ended, as on Apple's systems; 0 is success.
public typealias OSStatus = Int32
#endif
