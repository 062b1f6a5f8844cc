public import Foundation

/// The error of a future whose producer was released without completing it.
public struct UnresolvedFutureError: Error, Hashable, CustomStringConvertible {
  /// A description of what happened.
  public var description: String {
    "The future's producer was released before it gave a value or an error"
  }

  /// Creates the error; all instances are equal.
  @inlinable
  public init() {}
}

/// The error of ``Future/unwrap()`` for a nil value.
public struct NilValueError: Error, Hashable, CustomStringConvertible {
  /// A description of what happened.
  public var description: String { "The value is nil" }

  /// Creates the error; all instances are equal.
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
