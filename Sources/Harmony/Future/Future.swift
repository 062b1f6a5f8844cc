import Synchronization

/// A value, or an error, that may come later.
///
/// A future is completed once; whatever tries again is ignored. Any number of callbacks, derived
/// futures, blocked threads and suspended tasks may wait for it. Callbacks run in the order in
/// which they were added, on the thread that completes the future unless an executor is given,
/// and never while a lock is held: they may use the future as they please. On a completed future
/// they run at once.
///
/// ```swift
/// let length = Future("larder").map { $0.count }
/// print(try await length.get())
/// ```
///
/// Chains of any length are completed, cancelled and released without recursion. A future that
/// nobody can complete any more because its resolver or all references to it are gone ends in
/// ``UnresolvedFutureError``, so that nothing waits forever.
///
/// - Note: Upstream allows one consumer and runs it on the main thread.
public final class Future<T: Sendable>: Sendable {
  let storage: Mutex<Storage>

  /// Creates a future without a result, to be completed by one of the `set` methods.
  public init() {
    storage = Mutex(Storage(pending: Pending()))
  }

  /// Creates a future that is complete already.
  ///
  /// - Parameter result: A value or an error.
  public init(result: Result) {
    storage = Mutex(Storage(result: result))
  }

  /// Creates a future that something is known of already.
  init(pending: Pending) {
    storage = Mutex(Storage(pending: pending))
  }

  deinit {
    let observers = storage.withLock { $0.pending?.observers ?? [] }
    guard !observers.isEmpty else { return }
    Cascade.run { cascade in
      for observer in observers { observer(.error(UnresolvedFutureError()), &cascade) }
    }
  }

  /// How far this future and its consumers have come.
  ///
  /// Other threads may change it at any time.
  public var state: State {
    storage.withLock { storage in
      if let pending = storage.pending {
        pending.observers.isEmpty ? .blank : .waitingContent
      } else {
        storage.isSent ? .sent : .waitingThen
      }
    }
  }

  /// Whether there is a result, or one is being delivered.
  public var isResolved: Bool {
    storage.withLock { $0.pending?.isClaimed ?? true }
  }

  /// The result if there is one, which counts as handing it out.
  func takeResult() -> Result? {
    storage.withLock { storage in
      guard storage.result != nil else { return nil }
      storage.isSent = true
      return storage.result
    }
  }

  /// Adds an observer, or runs it if there is a result.
  func observe(_ cascade: inout Cascade, _ observer: @escaping Observer) {
    let result = storage.withLock { storage -> Result? in
      storage.pending?.observers.append(observer)
      if storage.pending == nil { storage.isSent = true }
      return storage.result
    }
    if let result { observer(result, &cascade) }
  }

  /// Adds an observer, or runs it and all that follows if there is a result.
  func observe(_ observer: @escaping Observer) {
    Cascade.run { observe(&$0, observer) }
  }
}
