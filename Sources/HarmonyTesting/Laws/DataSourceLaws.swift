import Harmony

/// The laws that every data source obeys, whatever it stores its values in.
///
/// ```swift
/// let violations = await DataSourceLaws.check(.numbers("memory") {
///   AnyDataSource(InMemoryDataSource<Int>())
/// })
/// #expect(violations.isEmpty)
/// ```
public enum DataSourceLaws {
  /// Checks all laws, and then random sequences of calls against a dictionary.
  ///
  /// - Parameters:
  ///   - fixture: The source.
  ///   - seed: The seed of the random calls. A report names it, so that they can be repeated.
  ///   - sequences: How many sequences of calls to make, each on a new source.
  ///   - length: How many calls are in a sequence.
  ///   - writers: How many values are written at the same time.
  /// - Returns: A sentence for each violation; none if the source is lawful. What cannot be checked,
  ///   such as samples that do not differ, is a sentence too.
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

/// Checks the laws one by one and collects what is violated.
struct LawBook<T: Sendable & Equatable> {
  let fixture: DataSourceFixture<T>
  private(set) var violations: [String] = []

  private let distinct: [T]

  /// - Parameter fixture: A source with three samples that differ.
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
