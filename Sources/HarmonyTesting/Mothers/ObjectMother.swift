public import Foundation
public import Harmony

/// Makes sample objects for tests, of which each number has one of its own.
///
/// The same number gives an equal object each time, in every process.
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
  /// - Parameter make: Makes the object of a number, which is not negative; different ones for
  ///   different numbers.
  public init(_ make: @escaping @Sendable (_ number: Int) -> T) {
    self.make = make
  }

  /// Makes one object.
  ///
  /// - Parameter number: Which one.
  /// - Returns: The object.
  public func one(_ number: Int = 0) -> T {
    make(number)
  }

  /// Makes the first few objects.
  ///
  /// - Parameter count: How many; none if it is negative.
  /// - Returns: The objects, which differ.
  public func several(_ count: Int = 3) -> [T] {
    (0..<max(count, 0)).map(make)
  }

  /// A mother of objects that are made from those of this one.
  ///
  /// - Parameter transform: Makes an object; different ones of different ones.
  /// - Returns: The mother.
  public func map<U>(_ transform: @escaping @Sendable (T) -> U) -> ObjectMother<U> {
    ObjectMother<U> { [make] in transform(make($0)) }
  }

  /// A source in memory that holds the first few objects.
  ///
  /// - Parameter count: How many.
  /// - Returns: The source; each object is stored with its number as its identifier.
  public func source(_ count: Int = 3) -> InMemoryDataSource<T> {
    let source = InMemoryDataSource<T>()
    for (number, object) in several(count).enumerated() { source.put(object, forId: number) }
    return source
  }
}

extension ObjectMother where T: Equatable {
  /// Describes a source of these objects for ``DataSourceLaws``.
  ///
  /// - Parameters:
  ///   - name: The name of the source, for reports.
  ///   - make: Makes an empty source, independent of all made before.
  /// - Returns: The description.
  public func fixture(
    _ name: String, make: @escaping @Sendable () throws -> AnyDataSource<T>
  ) -> DataSourceFixture<T> {
    DataSourceFixture(name, samples: several(7), make: make)
  }
}

extension ObjectMother where T == Int {
  /// Numbers, among them zero, negative ones and the largest and smallest there are.
  public static var numbers: ObjectMother {
    let special = [0, 1, -1, .max, .min]
    return ObjectMother { special.indices.contains($0) ? special[$0] : $0 }
  }
}

extension ObjectMother where T == Double {
  /// Fractions, among them zero, tiny, huge and infinite ones.
  public static var fractions: ObjectMother {
    let special = [0, -0.5, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity]
    return ObjectMother { special.indices.contains($0) ? special[$0] : Double($0) + 0.1 }
  }
}

extension ObjectMother where T == String {
  /// Texts, among them an empty one, such with control characters, accents and marks at their start,
  /// and a long one: all that sources have lost or mixed up before.
  public static var texts: ObjectMother {
    let special = [
      "", "text", "\u{FEFF}mark", "nul\0", "line\nbreak", "\u{E9}", "\u{1F980}", "a,b\\c/..",
      String(repeating: "long ", count: 1_000),
    ]
    return ObjectMother { special.indices.contains($0) ? special[$0] : "text \($0)" }
  }
}

extension ObjectMother where T == Data {
  /// Bytes, among them none, zeros and such that are no text.
  public static var data: ObjectMother {
    let special = [Data(), Data([0]), Data([0xFF, 0xFE]), Data("bplist00".utf8)]
    return ObjectMother { special.indices.contains($0) ? special[$0] : Data("data \($0)".utf8) }
  }
}

extension ObjectMother where T == Date {
  /// Dates, among them such with a fraction of a second and before all calendars.
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
  /// Identifiers.
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
