/// Calls another source again when it fails.
///
/// At most `retryCount` more calls are made, for errors that `retryIf` accepts; the last error is
/// returned. Cancelling the future ends the attempts. Writes are repeated too, so they should be
/// such that doing them twice does no harm.
public final class RetryDataSource<D, T: Sendable>: GetDataSource, PutDataSource,
  DeleteDataSource
where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
  @usableFromInline let dataSource: D
  @usableFromInline let retryCount: Int
  @usableFromInline let retryIf: @Sendable (any Error) -> Bool
  @usableFromInline let backOff: RetryBackOff?

  /// Creates a source that tries again.
  ///
  /// - Parameters:
  ///   - dataSource: The inner source.
  ///   - retryCount: How many calls to make after the first; none if negative.
  ///   - backOff: How long to wait before each; nil for not at all.
  ///   - retryIf: Whether an error is worth another call; by default every one is.
  @inlinable
  public init(
    _ dataSource: D, retryCount: Int = 1, backOff: RetryBackOff? = nil,
    retryIf: @escaping @Sendable (any Error) -> Bool = { _ in true }
  ) {
    self.dataSource = dataSource
    self.retryCount = retryCount
    self.retryIf = retryIf
    self.backOff = backOff
  }

  /// Reads a value, again if that fails.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    let answer = dataSource.get(query)
    return answer.hasSettledValue ? answer : attempt(answer) { $0.get(query) }
  }

  /// Reads a list, again if that fails.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    let answer = dataSource.getAll(query)
    return answer.hasSettledValue ? answer : attempt(answer) { $0.getAll(query) }
  }

  /// Writes a value, again if that fails.
  @inlinable
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    let answer = dataSource.put(value, in: query)
    return answer.hasSettledValue ? answer : attempt(answer) { $0.put(value, in: query) }
  }

  /// Writes a list, again if that fails.
  @inlinable
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    let answer = dataSource.putAll(array, in: query)
    return answer.hasSettledValue ? answer : attempt(answer) { $0.putAll(array, in: query) }
  }

  /// Removes, again if that fails.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    let answer = dataSource.delete(query)
    return answer.hasSettledValue ? answer : attempt(answer) { $0.delete(query) }
  }

  /// Removes by the inner source's older method, again if that fails.
  @inlinable
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    let answer = dataSource.deleteAll(query)
    return answer.hasSettledValue ? answer : attempt(answer) { $0.deleteAll(query) }
  }

  func attempt<Answer>(
    number: Int = 1, _ call: @escaping @Sendable (D) -> Future<Answer>
  ) -> Future<Answer> {
    attempt(call(dataSource), number: number, call)
  }

  /// Goes on from the answer to a call, which is the attempt with a number.
  @usableFromInline
  func attempt<Answer>(
    _ first: Future<Answer>, number: Int = 1, _ call: @escaping @Sendable (D) -> Future<Answer>
  ) -> Future<Answer> {
    var number = number
    var answer = first
    // A loop while all answer at once: any number of attempts, one stack frame.
    while let error = answer.settledError, isWorthAnother(error, number) {
      if let wait = backOff.map({ $0.wait($0.delay(beforeAttempt: number)) }), !wait.hasSettledValue
      {
        return wait.flatMap { [self, number] in attempt(number: number + 1, call) }
      }
      number += 1
      answer = call(dataSource)
    }
    guard number <= retryCount, !answer.isSettled else { return answer }
    return answer.recover { [self, number] error in
      attempt(Future(error), number: number, call)
    }
  }

  private func isWorthAnother(_ error: any Error, _ number: Int) -> Bool {
    number <= retryCount && retryIf(error)
  }
}

extension Future {
  /// The error of a future that has failed.
  fileprivate var settledError: (any Error)? {
    guard isSettled, case .error(let error) = settledResult else { return nil }
    return error
  }
}
