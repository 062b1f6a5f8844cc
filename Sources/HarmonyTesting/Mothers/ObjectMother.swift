public import Foundation
public import Harmony

/// A factory of sample objects for tests, with a different object for each number.
///
/// The same number always returns an equal object, in every process.
///
/// ```swift
/// let people = ObjectMother { Person(name: "Person \($0)", age: 20 + $0) }
/// let source = people.source(5)
/// #expect(try await source.get(3).get() == people.one(3))
/// ```
public struct ObjectMother<T: Sendable>: Sendable {
  private let make: @Sendable (Int) -> T

  /// Creates a mother of objects.
  ///
  /// - Parameter make: Creates the object of a non-negative number; different numbers must have
  ///   different objects.
  public init(_ make: @escaping @Sendable (_ number: Int) -> T) {
    self.make = make
  }

  /// Returns an object.
  ///
  /// - Parameter number: The number of the object.
  /// - Returns: The object.
  public func one(_ number: Int = 0) -> T {
    make(number)
  }

  /// Returns the first objects.
  ///
  /// - Parameter count: The number of objects; none if it is negative.
  /// - Returns: The objects, which are all different.
  public func several(_ count: Int = 3) -> [T] {
    (0..<max(count, 0)).map(make)
  }

  /// Returns a mother of transformed objects.
  ///
  /// - Parameter transform: Transforms an object; different objects must have different results.
  /// - Returns: The mother.
  public func map<U>(_ transform: @escaping @Sendable (T) -> U) -> ObjectMother<U> {
    ObjectMother<U> { [make] in transform(make($0)) }
  }

  /// Returns an in-memory source of the first objects.
  ///
  /// - Parameter count: The number of objects.
  /// - Returns: The source, in which the identifier of each object is its number.
  public func source(_ count: Int = 3) -> InMemoryDataSource<T> {
    let source = InMemoryDataSource<T>()
    for (number, object) in several(count).enumerated() { source.put(object, forId: number) }
    return source
  }
}

extension ObjectMother where T: Equatable {
  /// Returns a description of a source of these objects for ``DataSourceLaws``.
  ///
  /// - Parameters:
  ///   - name: The name of the source, for reports.
  ///   - make: Creates an empty source, independent of all others.
  /// - Returns: The description.
  public func fixture(
    _ name: String, make: @escaping @Sendable () throws -> AnyDataSource<T>
  ) -> DataSourceFixture<T> {
    DataSourceFixture(name, samples: several(7), make: make)
  }
}

extension ObjectMother where T == Int {
  /// Integers, including zero, negative ones, the maximum and the minimum.
  public static var numbers: ObjectMother {
    let special = [0, 1, -1, .max, .min]
    return ObjectMother { special.indices.contains($0) ? special[$0] : $0 }
  }
}

extension ObjectMother where T == Double {
  /// Floating-point numbers, including zero, tiny, huge and infinite ones.
  public static var fractions: ObjectMother {
    let special = [0, -0.5, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity]
    return ObjectMother { special.indices.contains($0) ? special[$0] : Double($0) + 0.1 }
  }
}

extension ObjectMother where T == String {
  /// Strings that sources have lost or confused before, including an empty one, a long one, and
  /// ones with control characters, accents and a leading byte order mark.
  public static var texts: ObjectMother {
    let special = [
      "", "text", "\u{FEFF}mark", "nul\0", "line\nbreak", "\u{E9}", "\u{1F980}", "a,b\\c/..",
      String(repeating: "long ", count: 1_000),
    ]
    return ObjectMother { special.indices.contains($0) ? special[$0] : "text \($0)" }
  }
}

extension ObjectMother where T == Data {
  /// Data, including empty data, zeros and bytes that are not valid text.
  public static var data: ObjectMother {
    let special = [Data(), Data([0]), Data([0xFF, 0xFE]), Data("bplist00".utf8)]
    return ObjectMother { special.indices.contains($0) ? special[$0] : Data("data \($0)".utf8) }
  }
}

extension ObjectMother where T == Date {
  /// Dates, including ones with fractions of a second and in the distant past.
  public static var dates: ObjectMother {
    let special = [0, 0.123456789, -1, -63_114_076_800, 64_092_211_200]
    return ObjectMother {
      Date(
        timeIntervalSinceReferenceDate: special.indices.contains($0) ? special[$0] : Double($0) * 60
      )
    }
  }
}

extension ObjectMother where T == UUID {
  /// UUIDs.
  public static var identifiers: ObjectMother {
    ObjectMother { number in
      let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      return UUID(
        uuid: (
          0, 0, 0, 0, 0, 0, 0x40, 0, bytes[7], bytes[6], bytes[5], bytes[4], bytes[3], bytes[2],
          bytes[1], bytes[0]
        ))
    }
  }
}
