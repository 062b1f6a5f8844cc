public import Harmony

/// A description of a source for checking the laws.
public struct DataSourceFixture<T: Sendable & Equatable>: Sendable {
  /// The name of the source, for reports.
  public let name: String

  /// Sample values, including at least three different ones.
  public let samples: [T]

  /// Whether the source can store lists under one key.
  public let storesLists: Bool

  /// Whether all values are returned in the order of their keys.
  public let isOrdered: Bool

  /// Whether the source can list its keys.
  public let listsKeys: Bool

  /// Whether calls occasionally fail with ``CoreError/Failed`` without changing anything.
  public let mayFail: Bool

  /// Creates an empty source, independent of all others.
  public let make: @Sendable () throws -> AnyDataSource<T>

  /// Creates a description of a source.
  ///
  /// - Parameters:
  ///   - name: The name of the source, for reports.
  ///   - samples: Sample values, including at least three different ones.
  ///   - storesLists: Whether the source can store lists under one key.
  ///   - isOrdered: Whether all values are returned in ascending order of their keys.
  ///   - listsKeys: Whether the source can list its keys.
  ///   - mayFail: Whether calls occasionally fail with ``CoreError/Failed`` without changing
  ///     anything; then only random calls are checked.
  ///   - make: Creates an empty source, independent of all others.
  public init(
    _ name: String, samples: [T], storesLists: Bool = true, isOrdered: Bool = true,
    listsKeys: Bool = true, mayFail: Bool = false,
    make: @escaping @Sendable () throws -> AnyDataSource<T>
  ) {
    self.name = name
    self.samples = samples
    self.storesLists = storesLists
    self.isOrdered = isOrdered
    self.listsKeys = listsKeys
    self.mayFail = mayFail
    self.make = make
  }
}

extension DataSourceFixture {
  /// The samples without duplicates.
  var distinct: [T] {
    samples.reduce(into: []) { distinct, sample in
      if !distinct.contains(sample) { distinct.append(sample) }
    }
  }

  /// Returns the reasons why the source cannot be checked.
  ///
  /// - Parameter others: Further conditions, and the reasons to return if they are true.
  /// - Returns: The reasons; empty if the source can be checked.
  func flaws(_ others: [(isWrong: Bool, sentence: String)]) -> [String] {
    let first = (isWrong: distinct.count < 3, sentence: "needs three samples that differ")
    return ([first] + others).filter(\.isWrong).map { "\(name): \($0.sentence)" }
  }
}

extension DataSourceFixture: CustomStringConvertible {
  /// The name of the source.
  public var description: String { name }
}

extension DataSourceFixture where T == Int {
  /// Creates a description of a source of numbers, including samples.
  ///
  /// - Parameters:
  ///   - name: The name of the source, for reports.
  ///   - mayFail: Whether calls occasionally fail with ``CoreError/Failed`` without changing
  ///     anything.
  ///   - make: Creates an empty source, independent of all others.
  /// - Returns: The description.
  public static func numbers(
    _ name: String, mayFail: Bool = false,
    make: @escaping @Sendable () throws -> AnyDataSource<Int>
  ) -> DataSourceFixture {
    DataSourceFixture(name, samples: [3, 1, 4, 15, 9, 26, -5], mayFail: mayFail, make: make)
  }
}
