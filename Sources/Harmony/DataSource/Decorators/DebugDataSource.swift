public import Dispatch
public import Foundation
public import Synchronization

/// How a ``DebugDataSource`` delays the answers of its inner source.
public enum DebugDataSourceDelay: Sendable {
  /// Not at all.
  case none
  /// By blocking the completing thread for so many seconds.
  case sync(TimeInterval)
  /// By completing on a queue so many seconds later.
  case async(TimeInterval, DispatchQueue)

  @inlinable var isNone: Bool {
    if case .none = self { true } else { false }
  }
}

/// The failures that a ``DebugDataSource`` makes up.
public enum DebugDataSourceError: Sendable {
  /// None.
  case none
  /// An error in place of some answers, from none with the probability 0 to all with 1.
  case error(any Error, probability: Double)

  @inlinable var isNone: Bool {
    if case .none = self { true } else { false }
  }
}

/// Delays another source's answers, fails some of them and writes a log.
///
/// The log names methods, query types and times. Keys and values stay out of it.
public final class DebugDataSource<D, T: Sendable>: GetDataSource, PutDataSource,
  DeleteDataSource
where D: GetDataSource, D: PutDataSource, D: DeleteDataSource, D.T == T {
  @usableFromInline let dataSource: D
  @usableFromInline let delay: DebugDataSourceDelay
  @usableFromInline let error: DebugDataSourceError
  @usableFromInline let logger: (@Sendable (String) -> Void)?
  @usableFromInline let random: @Sendable () -> Double
  @usableFromInline let calls = Atomic(0)
  /// Whether anything is asked of this source: the one question that an undisturbed call costs.
  @usableFromInline let isQuiet: Bool

  /// Creates a source that disturbs another one, and logs nothing.
  ///
  /// - Parameters:
  ///   - dataSource: The inner source.
  ///   - delay: How answers are delayed.
  ///   - error: Which failures are made up.
  ///   - random: Makes a number from 0 up to 1, to decide on failures.
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
  ///   - delay: How answers are delayed.
  ///   - error: Which failures are made up.
  ///   - logger: Takes the lines of the log, on any thread.
  ///   - random: Makes a number from 0 up to 1, to decide on failures.
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

  /// Forwards to the inner source, and disturbs its answer.
  @inlinable
  public func get(_ query: any Query) -> Future<T> {
    if isQuiet { return dataSource.get(query) }
    return disturb("get", query) { dataSource.get(query) }
  }

  /// Forwards to the inner source, and disturbs its answer.
  @inlinable
  public func getAll(_ query: any Query) -> Future<[T]> {
    if isQuiet { return dataSource.getAll(query) }
    return disturb("getAll", query) { dataSource.getAll(query) }
  }

  /// Forwards to the inner source, and disturbs its answer.
  @inlinable
  @discardableResult
  public func put(_ value: T?, in query: any Query) -> Future<T> {
    if isQuiet { return dataSource.put(value, in: query) }
    return disturb("put", query) { dataSource.put(value, in: query) }
  }

  /// Forwards to the inner source, and disturbs its answer.
  @inlinable
  @discardableResult
  public func putAll(_ array: [T], in query: any Query) -> Future<[T]> {
    if isQuiet { return dataSource.putAll(array, in: query) }
    return disturb("putAll", query) { dataSource.putAll(array, in: query) }
  }

  /// Forwards to the inner source, and disturbs its answer.
  @inlinable
  @discardableResult
  public func delete(_ query: any Query) -> Future<Void> {
    if isQuiet { return dataSource.delete(query) }
    return disturb("delete", query) { dataSource.delete(query) }
  }

  /// Forwards to the inner source's older method, and disturbs its answer.
  @inlinable
  @available(*, deprecated, message: "Use delete(_:) with AllObjectsQuery or IdsQuery.")
  @discardableResult
  public func deleteAll(_ query: any Query) -> Future<Void> {
    disturb("deleteAll", query) { dataSource.deleteAll(query) }
  }

  // Apart, so that a call that is not disturbed is short enough to be put where it is made.
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
