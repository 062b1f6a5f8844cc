public import Foundation

/// The end of a future whose producer went away without giving it a result.
public struct UnresolvedFutureError: Error, Hashable, CustomStringConvertible {
  /// What happened, in words.
  public var description: String {
    "The future's producer was released before it gave a value or an error"
  }

  /// Creates the error; all of them are equal.
  @inlinable
  public init() {}
}

/// The absence of a value that ``Future/unwrap()`` needed.
public struct NilValueError: Error, Hashable, CustomStringConvertible {
  /// What happened, in words.
  public var description: String { "The value is nil" }

  /// Creates the error; all of them are equal.
  @inlinable
  public init() {}
}

extension UnresolvedFutureError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension NilValueError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
