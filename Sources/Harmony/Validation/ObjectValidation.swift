/// A rule that decides which objects are valid.
public protocol ObjectValidation: Sendable {
  /// Returns whether an object is valid.
  ///
  /// - Parameter object: The object, of any type; implementations cast it to the types that they
  ///   support.
  /// - Returns: Whether it is valid.
  func isObjectValid<T>(_ object: T) -> Bool

  /// Returns whether a list is valid.
  ///
  /// By default, a list is valid if all of its objects are; an empty list is valid.
  ///
  /// - Parameter objects: The objects.
  /// - Returns: Whether the list is valid.
  func isArrayValid<T>(_ objects: [T]) -> Bool
}

extension ObjectValidation {
  /// Returns whether all objects are valid; true for an empty list.
  ///
  /// - Parameter objects: The objects.
  /// - Returns: Whether the list is valid.
  /// - Note: Upstream rejects empty lists, and thus every read of an empty store.
  public func isArrayValid<T>(_ objects: [T]) -> Bool {
    objects.allSatisfy { isObjectValid($0) }
  }
}

/// A validation that accepts everything.
public struct DefaultObjectValidation: ObjectValidation {
  /// Creates the validation; all instances are equivalent.
  public init() {}

  /// Returns true for every object.
  public func isObjectValid<T>(_ object: T) -> Bool {
    true
  }
}
