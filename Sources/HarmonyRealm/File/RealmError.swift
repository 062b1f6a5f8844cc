public import Foundation

/// An error that occurs if a Realm file, or a part of it, cannot be read.
///
/// The message describes the problem, but never contains a value, so that errors do not leak data.
public struct RealmError: Error, Sendable, Hashable {
  /// The kinds of errors that callers handle differently.
  public enum Code: Sendable, Hashable {
    /// The file does not exist or is inaccessible.
    case cannotOpen
    /// The file is not a Realm file.
    case notRealm
    /// The file seems to be an encrypted Realm file, which cannot be read without its key.
    case encrypted
    /// The format of the Realm file is not supported.
    case unsupportedFormat
    /// The contents of the file are not valid.
    case corrupt
    /// Other processes commit so often that no state could be read.
    case busy
    /// The file has no class or property of this name.
    case noSuchName
    /// A value has too many elements to read into memory.
    case tooLarge
  }

  /// The kind of the error.
  public let code: Code
  /// A description of the problem, as a sentence without a final period.
  public let message: String
  /// The path of the file, if it is known.
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
