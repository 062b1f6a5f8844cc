import Harmony

/// The laws that every data source obeys, however it stores its values.
///
/// ```swift
/// let violations = await DataSourceLaws.check(.numbers("memory") {
///   AnyDataSource(InMemoryDataSource<Int>())
/// })
/// #expect(violations.isEmpty)
/// ```
public enum DataSourceLaws {
  /// Checks all laws, and then compares random sequences of calls with a dictionary.
  ///
  /// - Parameters:
  ///   - fixture: The source.
  ///   - seed: The seed of the random calls, which reports include so that the calls can be
  ///     repeated.
  ///   - sequences: The number of sequences of calls, each on a new source.
  ///   - length: The number of calls in a sequence.
  ///   - writers: The number of concurrent writes.
  /// - Returns: A sentence for each violation; empty if the source obeys all laws. Invalid
  ///   arguments, such as samples without differences, are reported as sentences too.
  public static func check<T>(
    _ fixture: DataSourceFixture<T>, seed: UInt64 = .random(in: 0..<1_000_000),
    sequences: Int = 10, length: Int = 60, writers: Int = 1_000
  ) async -> [String] {
    let flaws = fixture.flaws([
      (sequences < 0, "the number of sequences is negative"),
      (length < 0, "the length is negative"),
      (writers < 0, "the number of writers is negative"),
    ])
    guard flaws.isEmpty else { return flaws }
    do {
      var book = LawBook(fixture: fixture)
      if !fixture.mayFail {
        try await book.checkValues()
        try await book.checkMany()
        try await book.checkRefusals()
        try await book.checkConcurrentWrites(writers)
        if fixture.storesLists { try await book.checkLists() }
        if fixture.listsKeys { try await book.checkKeys() }
      }
      let model = try await RandomCalls(fixture: fixture, seed: seed)
        .violations(sequences: sequences, length: length)
      return book.violations + model
    } catch {
      return ["\(fixture.name): the source cannot be made: \(error)"]
    }
  }
}

/// A check of the laws that collects violations.
struct LawBook<T: Sendable & Equatable> {
  let fixture: DataSourceFixture<T>
  private(set) var violations: [String] = []

  private let distinct: [T]

  /// Creates a check.
  ///
  /// - Parameter fixture: A source with three different samples.
  init(fixture: DataSourceFixture<T>) {
    self.fixture = fixture
    distinct = fixture.distinct
  }

  var first: T { distinct[0] }
  var second: T { distinct[1] }
  var third: T { distinct[2] }

  mutating func expect<Value>(
    _ law: String, _ future: Future<Value>, _ expected: Outcome<Value>
  ) async {
    let outcome = await Outcome(future)
    guard outcome != expected else { return }
    violations.append("\(fixture.name): \(law): \(outcome) instead of \(expected)")
  }

  mutating func expectDone(_ law: String, _ future: Future<Void>) async {
    await expect(law, future.map { Done() }, .done)
  }
}
