/// Turns values of one type into values of another.
///
/// Subclasses override ``map(_:)-(From)``; a closure does in a ``ClosureMapper``. Mappers are
/// used by several threads at once.
// Invariant of the unchecked conformance: this class stores nothing. A subclass restates it, and
// must store only what may be shared.
open class Mapper<From, To>: @unchecked Sendable {
  /// Creates a mapper.
  public init() {}

  /// Maps a value.
  ///
  /// - Parameter from: The value.
  /// - Returns: The mapped value.
  /// - Throws: ``CoreError/NotImplemented`` unless overridden; subclasses say why a value cannot
  ///   be mapped.
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

  /// Maps the values of a dictionary, whose keys stay.
  ///
  /// - Parameter dictionary: The values.
  /// - Returns: The mapped values.
  /// - Throws: The error of a value that cannot be mapped.
  public func map<K>(_ dictionary: [K: From]) throws -> [K: To] {
    try dictionary.mapValues { try map($0) }
  }
}

extension Mapper where From: Hashable, To: Hashable {
  /// Maps the elements of a set, which may become fewer.
  ///
  /// - Parameter set: The values.
  /// - Returns: The mapped values.
  /// - Throws: The error of an element that cannot be mapped.
  public func map(_ set: Set<From>) throws -> Set<To> {
    Set(try set.map { try map($0) })
  }
}
