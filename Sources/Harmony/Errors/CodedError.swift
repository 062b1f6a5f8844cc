public import Foundation

/// An error that is known by a domain and a code.
///
/// Conforming types are values: two errors of a type are equal when domain and code are, whatever
/// their descriptions say.
///
/// As an `NSError`, by the language's own `as`, an error has its code and its facts, but the domain
/// of its type, ``errorDomain``; ``toNSError(domain:)`` makes one with its own domain.
public protocol CodedError: LocalizedError, CustomNSError, CustomStringConvertible,
  CustomDebugStringConvertible, Sendable
{
  /// The family that the code belongs to.
  var domain: String { get }

  /// The number of the error inside its domain.
  var code: Int { get }

  /// What went wrong, in words.
  var description: String { get }

  /// Further facts for an `NSError` made of this error.
  ///
  /// - Returns: Values by the keys of an `NSError`'s user info.
  func userInfo() -> [String: Any]
}

extension CodedError {
  /// The description alone, as Foundation asks for it.
  public var errorDescription: String? { description }

  /// Nil: the description says all there is.
  public var failureReason: String? { nil }

  /// Nil: the description says all there is.
  public var recoverySuggestion: String? { nil }

  /// Nil: there is no help book.
  public var helpAnchor: String? { nil }

  /// The description alone, whichever way it is asked for.
  public var localizedDescription: String { description }

  /// The code and the description.
  public var debugDescription: String { "Error Code \(code): \(description)" }

  /// Nothing beyond the description.
  public func userInfo() -> [String: Any] { [:] }

  /// The name of the type, which is all that Foundation asks a type for.
  public static var errorDomain: String { String(reflecting: Self.self) }

  /// The code, as Foundation asks for it.
  public var errorCode: Int { code }

  /// The facts and the description, as Foundation asks for them.
  public var errorUserInfo: [String: Any] {
    userInfo().merging([NSLocalizedDescriptionKey: description]) { own, _ in own }
  }

  /// The same error as Foundation's class.
  ///
  /// - Parameter domain: A domain to use in place of the error's own.
  /// - Returns: An error with the code, and the description as its localised description.
  public func toNSError(domain: String? = nil) -> NSError {
    NSError(domain: domain ?? self.domain, code: code, userInfo: errorUserInfo)
  }
}

// Foundation has codes for such enumerations too, and one has to come first.
extension CodedError where Self: RawRepresentable, RawValue: SignedInteger {
  /// The code, as Foundation asks for it; not the raw value.
  public var errorCode: Int { code }
}

extension CodedError where Self: RawRepresentable, RawValue: UnsignedInteger {
  /// The code, as Foundation asks for it; not the raw value.
  public var errorCode: Int { code }
}

// Enumerations of raw values can be fed by these, too, and one has to come first.
extension CodedError where Self: Hashable, Self: RawRepresentable, RawValue: Hashable {
  /// Feeds domain and code, which equality is about.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(domain)
    hasher.combine(code)
  }
}

extension CodedError where Self: Hashable {
  /// Tells whether domain and code are the same; descriptions do not matter.
  public static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.domain == right.domain
  }

  /// Feeds domain and code, which equality is about.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(domain)
    hasher.combine(code)
  }
}
