public import Foundation

/// Why a Realm file, or a part of it, cannot be read.
///
/// The message names what is wrong and never a value: errors do not leak data.
public struct RealmError: Error, Sendable, Hashable {
  /// What callers treat differently.
  public enum Code: Sendable, Hashable {
    /// There is no file, or nobody lets this process read it.
    case cannotOpen
    /// The file is no Realm.
    case notRealm
    /// The file looks like an encrypted Realm, for which the key would be needed.
    case encrypted
    /// A Realm of a format that is not read here.
    case unsupportedFormat
    /// The bytes are not what the format demands.
    case corrupt
    /// Another process commits so often that no moment was quiet enough.
    case busy
    /// The file has no class or property of the name.
    case noSuchName
    /// A value has more parts than are read into memory.
    case tooLarge
  }

  /// What callers treat differently.
  public let code: Code
  /// What is wrong, as a sentence without a full stop.
  public let message: String
  /// The file, if it is known.
  public let path: String?

  /// Creates an error.
  public init(_ code: Code, _ message: String, path: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
  }

  static func corrupt(_ message: String) -> RealmError { RealmError(.corrupt, message) }

  func of(_ path: String) -> RealmError {
    RealmError(code, message, path: self.path ?? path)
  }
}

extension RealmError: CustomStringConvertible, LocalizedError {
  /// The file and the message.
  public var description: String { (path.map { "\($0): " } ?? "") + message }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
