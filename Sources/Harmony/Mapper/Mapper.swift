/// A mapper from values of one type to values of another.
///
/// Subclasses override ``map(_:)-(From)``; use ``ClosureMapper`` for a closure. Mappers may be
/// called concurrently.
// Invariant of the unchecked conformance: this class has no stored properties. Subclasses restate
// the conformance and must only store sendable values.
open class Mapper<From, To>: @unchecked Sendable {
  /// Creates a mapper.
  public init() {}

  /// Maps a value.
  ///
  /// - Parameter from: The value.
  /// - Returns: The mapped value.
  /// - Throws: ``CoreError/NotImplemented`` unless overridden; subclasses document their own
  ///   errors.
  open func map(_ from: From) throws -> To {
    throw CoreError.NotImplemented("Undefined mapper from \(From.self) to \(To.self)")
  }
}

extension Mapper {
  /// Maps the elements of an array, in order.
  ///
  /// - Parameter array: The values.
  /// - Returns: The mapped values.
  /// - Throws: The error of the first element that cannot be mapped.
  public func map(_ array: [From]) throws -> [To] {
    try array.map { try map($0) }
  }

  /// Maps the values of a dictionary, with the keys unchanged.
  ///
  /// - Parameter dictionary: The values.
  /// - Returns: The mapped values.
  /// - Throws: The error of a value that cannot be mapped.
  public func map<K>(_ dictionary: [K: From]) throws -> [K: To] {
    try dictionary.mapValues { try map($0) }
  }
}

extension Mapper where From: Hashable, To: Hashable {
  /// Maps the elements of a set; the result may have fewer elements.
  ///
  /// - Parameter set: The values.
  /// - Returns: The mapped values.
  /// - Throws: The error of an element that cannot be mapped.
  public func map(_ set: Set<From>) throws -> Set<To> {
    Set(try set.map { try map($0) })
  }
}
