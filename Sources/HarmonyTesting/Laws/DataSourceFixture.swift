public import Harmony

/// What the laws need to know of a source.
public struct DataSourceFixture<T: Sendable & Equatable>: Sendable {
  /// The name of the source, for reports.
  public let name: String

  /// Values, at least three of which differ from each other.
  public let samples: [T]

  /// Whether the source can store lists under one key.
  public let storesLists: Bool

  /// Whether everything is answered in the order of the keys.
  public let isOrdered: Bool

  /// Whether the source can list its keys.
  public let listsKeys: Bool

  /// Whether calls fail now and then with ``CoreError/Failed``, and then change nothing.
  public let mayFail: Bool

  /// Makes an empty source, independent of all made before.
  public let make: @Sendable () throws -> AnyDataSource<T>

  /// Describes a source.
  ///
  /// - Parameters:
  ///   - name: The name of the source, for reports.
  ///   - samples: Values, at least three of which differ from each other.
  ///   - storesLists: Whether the source can store lists under one key.
  ///   - isOrdered: Whether everything is answered in ascending order of the keys.
  ///   - listsKeys: Whether the source can list its keys.
  ///   - mayFail: Whether calls fail now and then with ``CoreError/Failed``, and then change
  ///     nothing; only random calls are made then.
  ///   - make: Makes an empty source, independent of all made before.
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
  /// The samples without those that equal one before.
  var distinct: [T] {
    samples.reduce(into: []) { distinct, sample in
      if !distinct.contains(sample) { distinct.append(sample) }
    }
  }

  /// A sentence for each reason why nothing can be checked.
  ///
  /// - Parameter others: What else may be wrong, and what to say then.
  /// - Returns: The sentences; none if all can be checked.
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
  /// Describes a source of numbers, with samples.
  ///
  /// - Parameters:
  ///   - name: The name of the source, for reports.
  ///   - mayFail: Whether calls fail now and then with ``CoreError/Failed``, and then change
  ///     nothing.
  ///   - make: Makes an empty source, independent of all made before.
  /// - Returns: The description.
  public static func numbers(
    _ name: String, mayFail: Bool = false,
    make: @escaping @Sendable () throws -> AnyDataSource<Int>
  ) -> DataSourceFixture {
    DataSourceFixture(name, samples: [3, 1, 4, 15, 9, 26, -5], mayFail: mayFail, make: make)
  }
}
