/// A source that retries calls of another source when they fail.
///
/// At most `retryCount` further calls are made, for errors that `retryIf` accepts; then the last
/// error is returned. Cancelling the future ends the attempts. Writes are retried too, so they
/// should be idempotent.
public final class RetryDataSource<D, T: Sendable>: GetDataSource, PutDataSource,
  DeleteDataSource
where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
  @usableFromInline let dataSource: D
  @usableFromInline let retryCount: Int
  @usableFromInline let retryIf: @Sendable (any Error) -> Bool
  @usableFromInline let backOff: RetryBackOff?

  /// Creates a source that retries failed calls.
  ///
  /// - Parameters:
  ///   - dataSource: The inner source.
  ///   - retryCount: The maximum number of calls after the first; none if negative.
  ///   - backOff: The delays between attempts; nil for none.
  ///   - retryIf: Returns whether an error is worth a retry; by default every error is.
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

  /// Reads a value, retrying on failure.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    let answer = dataSource.get(query)
    return answer.hasSettledValue ? answer : attempt(answer) { $0.get(query) }
  }

  /// Reads a list, retrying on failure.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    let answer = dataSource.getAll(query)
    return answer.hasSettledValue ? answer : attempt(answer) { $0.getAll(query) }
  }

  /// Writes a value, retrying on failure.
  @inlinable
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    let answer = dataSource.put(value, in: query)
    return answer.hasSettledValue ? answer : attempt(answer) { $0.put(value, in: query) }
  }

  /// Writes a list, retrying on failure.
  @inlinable
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    let answer = dataSource.putAll(array, in: query)
    return answer.hasSettledValue ? answer : attempt(answer) { $0.putAll(array, in: query) }
  }

  /// Removes values, retrying on failure.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    let answer = dataSource.delete(query)
    return answer.hasSettledValue ? answer : attempt(answer) { $0.delete(query) }
  }

  /// Removes values with the inner source's deprecated method, retrying on failure.
  @inlinable
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    let answer = dataSource.deleteAll(query)
    return answer.hasSettledValue ? answer : attempt(answer) { $0.deleteAll(query) }
  }

  func attempt<Answer>(_ call: @escaping @Sendable (D) -> Future<Answer>) -> Future<Answer> {
    attempt(call(dataSource), call)
  }

  /// Continues from the answer to the first call.
  @usableFromInline
  func attempt<Answer>(
    _ first: Future<Answer>, _ call: @escaping @Sendable (D) -> Future<Answer>
  ) -> Future<Answer> {
    let stage = stage(first, 1, call)
    if case .answer(let answer) = stage { return answer }
    // A single future for all remaining attempts, however many.
    let result = Future<Answer>()
    Cascade.run { proceed(result, stage, call, &$0) }
    return result
  }

  /// The state of the attempts, with the future that the next one waits for.
  private enum Stage<Answer: Sendable> {
    /// There are no more attempts.
    case answer(Future<Answer>)
    /// An attempt is in progress.
    case attempt(Future<Answer>, number: Int)
    /// The delay after an attempt is in progress.
    case wait(Future<Void>, number: Int)
  }

  /// Makes attempts for as long as they fail immediately.
  private func stage<Answer>(
    _ answer: Future<Answer>, _ number: Int, _ call: (D) -> Future<Answer>
  ) -> Stage<Answer> {
    var answer = answer
    var number = number
    while let error = answer.settledError, isWorthAnother(error, number) {
      if let wait = backOff.map({ $0.wait($0.delay(beforeAttempt: number)) }), !wait.hasSettledValue
      {
        return .wait(wait, number: number)
      }
      number += 1
      answer = call(dataSource)
    }
    return answer.isSettled || number > retryCount
      ? .answer(answer) : .attempt(answer, number: number)
  }

  /// Continues once the future of a stage has completed.
  private func proceed<Answer>(
    _ result: Future<Answer>, _ stage: Stage<Answer>,
    _ call: @escaping @Sendable (D) -> Future<Answer>, _ cascade: inout Cascade
  ) {
    switch stage {
    case .answer(let answer): result.follow(answer, &cascade)
    case .attempt(let answer, let number):
      guard result.isMade(from: answer) else { return }
      answer.observe(&cascade) { [self] outcome, cascade in
        guard !result.isResolved else { return }
        proceed(result, self.stage(Future(result: outcome), number, call), call, &cascade)
      }
    case .wait(let wait, let number):
      guard result.isMade(from: wait) else { return }
      wait.observe(&cascade) { [self] outcome, cascade in
        guard !result.isResolved else { return }
        if case .error(let error) = outcome {
          result.complete(.error(error), &cascade)
        } else {
          proceed(result, self.stage(call(dataSource), number + 1, call), call, &cascade)
        }
      }
    }
  }

  private func isWorthAnother(_ error: any Error, _ number: Int) -> Bool {
    number <= retryCount && retryIf(error)
  }
}

extension Future {
  /// The error of a failed future; nil for any other.
  fileprivate var settledError: (any Error)? {
    guard isSettled, case .error(let error) = settledResult else { return nil }
    return error
  }
}
