/// Says which objects are still good.
public protocol ObjectValidation: Sendable {
  /// Tells whether an object is good.
  ///
  /// - Parameter object: The object, of any type; an implementation casts it to those it knows.
  /// - Returns: Whether it may be used.
  func isObjectValid<T>(_ object: T) -> Bool

  /// Tells whether a list is good.
  ///
  /// By default it is if all its objects are, as those of an empty list are.
  ///
  /// - Parameter objects: The objects.
  /// - Returns: Whether the list may be used.
  func isArrayValid<T>(_ objects: [T]) -> Bool
}

extension ObjectValidation {
  /// Tells whether all objects are good; an empty list is.
  ///
  /// - Parameter objects: The objects.
  /// - Returns: Whether the list may be used.
  /// - Note: Upstream refuses empty lists, and so every read of an empty store.
  public func isArrayValid<T>(_ objects: [T]) -> Bool {
    objects.allSatisfy { isObjectValid($0) }
  }
}

/// The validation that finds everything good.
public struct DefaultObjectValidation: ObjectValidation {
  /// Creates the validation; all of them are the same.
  public init() {}

  /// Finds every object good.
  public func isObjectValid<T>(_ object: T) -> Bool {
    true
  }
}
