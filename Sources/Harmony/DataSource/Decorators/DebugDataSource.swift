public import Dispatch
public import Foundation
public import Synchronization

/// The delay that a ``DebugDataSource`` adds to the answers of its inner source.
public enum DebugDataSourceDelay: Sendable {
  /// No delay.
  case none
  /// Blocks the completing thread for a number of seconds.
  case sync(TimeInterval)
  /// Completes on a queue after a number of seconds.
  case async(TimeInterval, DispatchQueue)

  @inlinable var isNone: Bool {
    if case .none = self { true } else { false }
  }
}

/// The failures that a ``DebugDataSource`` injects.
public enum DebugDataSourceError: Sendable {
  /// No failures.
  case none
  /// An error instead of the answer, with a probability from 0 (never) to 1 (always).
  case error(any Error, probability: Double)

  @inlinable var isNone: Bool {
    if case .none = self { true } else { false }
  }
}

/// A source that delays the answers of another source, makes some of them fail, and logs calls.
///
/// The log contains methods, query types and times, but neither keys nor values.
public final class DebugDataSource<D, T: Sendable>: GetDataSource, PutDataSource,
  DeleteDataSource
where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
  @usableFromInline let dataSource: D
  @usableFromInline let delay: DebugDataSourceDelay
  @usableFromInline let error: DebugDataSourceError
  @usableFromInline let logger: (@Sendable (String) -> Void)?
  @usableFromInline let random: @Sendable () -> Double
  @usableFromInline let calls = Atomic(0)
  /// Whether calls are forwarded unchanged, so that they cost only this check.
  @usableFromInline let isQuiet: Bool

  /// Creates a source that disturbs another one without logging.
  ///
  /// - Parameters:
  ///   - dataSource: The inner source.
  ///   - delay: The delay of answers.
  ///   - error: The failures to inject.
  ///   - random: Returns a number in `0..<1`, which decides whether a call fails.
  @inlinable
  public init(
    _ dataSource: D, delay: DebugDataSourceDelay = .none, error: DebugDataSourceError = .none,
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.dataSource = dataSource
    self.delay = delay
    self.error = error
    self.logger = nil
    self.random = random
    isQuiet = delay.isNone && error.isNone
  }

  /// Creates a source that disturbs and logs another one.
  ///
  /// - Parameters:
  ///   - dataSource: The inner source.
  ///   - delay: The delay of answers.
  ///   - error: The failures to inject.
  ///   - logger: Receives the lines of the log, on any thread.
  ///   - random: Returns a number in `0..<1`, which decides whether a call fails.
  @inlinable
  public init(
    _ dataSource: D, delay: DebugDataSourceDelay = .none, error: DebugDataSourceError = .none,
    logger: @escaping @Sendable (String) -> Void,
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.dataSource = dataSource
    self.delay = delay
    self.error = error
    self.logger = logger
    self.random = random
    isQuiet = false
  }

  /// Forwards to the inner source and disturbs its answer.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    if isQuiet { return dataSource.get(query) }
    return disturb("get", query) { dataSource.get(query) }
  }

  /// Forwards to the inner source and disturbs its answer.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    if isQuiet { return dataSource.getAll(query) }
    return disturb("getAll", query) { dataSource.getAll(query) }
  }

  /// Forwards to the inner source and disturbs its answer.
  @inlinable
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    if isQuiet { return dataSource.put(value, in: query) }
    return disturb("put", query) { dataSource.put(value, in: query) }
  }

  /// Forwards to the inner source and disturbs its answer.
  @inlinable
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    if isQuiet { return dataSource.putAll(array, in: query) }
    return disturb("putAll", query) { dataSource.putAll(array, in: query) }
  }

  /// Forwards to the inner source and disturbs its answer.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    if isQuiet { return dataSource.delete(query) }
    return disturb("delete", query) { dataSource.delete(query) }
  }

  /// Forwards to the inner source's deprecated method and disturbs its answer.
  @inlinable
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    disturb("deleteAll", query) { dataSource.deleteAll(query) }
  }

  // A separate function, so that the undisturbed path is short enough to be inlined.
  @inlinable
  @inline(never)
  func disturb<Answer>(
    _ method: String, _ query: any Query, _ call: () -> Future<Answer>
  ) -> Future<Answer> {
    guard let logger else { return delayed(made(call)) }
    return logged(method, query, logger, call)
  }

  @usableFromInline
  func logged<Answer>(
    _ method: String, _ query: any Query, _ logger: @escaping @Sendable (String) -> Void,
    _ call: () -> Future<Answer>
  ) -> Future<Answer> {
    let name = "#\(calls.add(1, ordering: .relaxed).newValue) \(method) \(type(of: query))"
    let start = ContinuousClock.now
    logger("\(name) started")
    return delayed(made(call))
      .then { _ in
        logger("\(name) succeeded after \(start.duration(to: ContinuousClock.now))")
      }
      .fail { error in
        let time = start.duration(to: ContinuousClock.now)
        logger("\(name) failed after \(time): \(type(of: error))")
      }
  }

  @inlinable
  func made<Answer>(_ call: () -> Future<Answer>) -> Future<Answer> {
    if case .error(let error, let probability) = error, random() < probability {
      return Future(error)
    }
    return call()
  }

  @inlinable
  func delayed<Answer>(_ answer: Future<Answer>) -> Future<Answer> {
    switch delay {
    case .none: answer
    case .sync(let interval): answer.withBlockingDelay(interval)
    case .async(let interval, let queue): answer.withDelay(interval, queue: queue)
    }
  }
}
