public import Foundation

/// An error that is identified by a domain and a code.
///
/// Conforming types are values: two errors of a type are equal if their domains and codes are,
/// whatever their descriptions.
///
/// Casting an error to `NSError` with `as` preserves its code and user info, but uses the domain of
/// its type, ``errorDomain``; ``toNSError(domain:)`` creates one with the error's own domain.
public protocol CodedError: LocalizedError, CustomNSError, CustomStringConvertible,
  CustomDebugStringConvertible, Sendable
{
  /// The domain of the code.
  var domain: String { get }

  /// The code of the error in its domain.
  var code: Int { get }

  /// A description of what went wrong.
  var description: String { get }

  /// Returns additional user info for an `NSError` that is created from this error.
  ///
  /// - Returns: Values by the keys of an `NSError`'s user info.
  func userInfo() -> [String: Any]
}

extension CodedError {
  /// The description, which Foundation uses as the localized description.
  public var errorDescription: String? { description }

  /// Nil: the description is complete.
  public var failureReason: String? { nil }

  /// Nil: the description is complete.
  public var recoverySuggestion: String? { nil }

  /// Nil: there is no help book.
  public var helpAnchor: String? { nil }

  /// The description.
  public var localizedDescription: String { description }

  /// The code and the description.
  public var debugDescription: String { "Error Code \(code): \(description)" }

  /// Returns no additional user info.
  public func userInfo() -> [String: Any] { [:] }

  /// The name of the type, which Foundation uses as the domain when it casts an error to `NSError`.
  public static var errorDomain: String { String(reflecting: Self.self) }

  /// The code, which Foundation uses when it casts an error to `NSError`.
  public var errorCode: Int { code }

  /// The user info and the description, which Foundation uses when it casts an error to `NSError`.
  public var errorUserInfo: [String: Any] {
    userInfo().merging([NSLocalizedDescriptionKey: description]) { own, _ in own }
  }

  /// Returns this error as an `NSError`.
  ///
  /// - Parameter domain: A domain that replaces the error's own.
  /// - Returns: An error with the code, and the description as its localized description.
  public func toNSError(domain: String? = nil) -> NSError {
    NSError(domain: domain ?? self.domain, code: code, userInfo: errorUserInfo)
  }
}

// Foundation also provides codes for such enumerations, so this resolves the ambiguity.
extension CodedError where Self: RawRepresentable, RawValue: SignedInteger {
  /// The code, which Foundation uses when it casts an error to `NSError`; not the raw value.
  public var errorCode: Int { code }
}

extension CodedError where Self: RawRepresentable, RawValue: UnsignedInteger {
  /// The code, which Foundation uses when it casts an error to `NSError`; not the raw value.
  public var errorCode: Int { code }
}

// The standard library also hashes enumerations with raw values, so this resolves the ambiguity.
extension CodedError where Self: Hashable, Self: RawRepresentable, RawValue: Hashable {
  /// Hashes the domain and the code.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(domain)
    hasher.combine(code)
  }
}

extension CodedError where Self: Hashable {
  /// Returns whether domain and code are equal, ignoring descriptions.
  public static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.domain == right.domain
  }

  /// Hashes the domain and the code.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(domain)
    hasher.combine(code)
  }
}
