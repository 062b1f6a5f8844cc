public import Synchronization

/// A value or an error that may become available later.
///
/// A future is completed once; further attempts are ignored. Any number of callbacks, derived
/// futures, blocked threads and suspended tasks may wait for it. Callbacks run in the order in
/// which they were added, on the thread that completes the future unless an executor is given. They
/// never run while a lock is held, so they may use the future freely. On a completed future they
/// run immediately.
///
/// ```swift
/// let length = Future("larder").map { $0.count }
/// print(try await length.get())
/// ```
///
/// Chains of any length are completed, canceled and released without recursion. A future that can
/// no longer be completed, because its resolver or all references to it are gone, ends with
/// ``UnresolvedFutureError``, so that nothing waits forever.
///
/// - Note: Upstream allows one consumer and runs it on the main thread.
public final class Future<T: Sendable>: Sendable {
  /// The current phase, a constant of `FuturePhase`.
  ///
  /// It changes only while the lock of `pending` is held, except between settled and sent.
  @usableFromInline let phase: Atomic<UInt8>

  /// The observers of the result; nil if the future was created with a result.
  @usableFromInline let pending: FuturePending?

  // Invariant: filled at most once, before the thread that claimed the result makes `phase` settled
  // with a releasing store. Read only after an acquiring load of `phase` returned settled, or when
  // no references are left. No other access can overlap then, so that exclusivity need not be
  // checked at run time.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var room = FutureStorage()

  /// Creates a future without a result, to be completed by one of the `set` methods.
  @inlinable
  public init() {
    phase = Atomic(FuturePhase.pending)
    pending = FuturePending()
  }

  /// Creates a future that already has a value.
  ///
  /// - Parameter value: The value.
  @inlinable
  public init(_ value: T) {
    phase = Atomic(FuturePhase.settled)
    pending = nil
    room.fill(value: value)
  }

  /// Creates a future that has already failed.
  ///
  /// - Parameter error: The error.
  @inlinable
  public init(_ error: any Error) {
    phase = Atomic(FuturePhase.settled)
    pending = nil
    room.fill(error: error)
  }

  /// Creates a future whose cancellation also cancels another one.
  @inlinable
  init(source: any AnyFuture) {
    phase = Atomic(FuturePhase.pending)
    pending = FuturePending(source: source)
  }

  deinit {
    if isSettled {
      if room.needsEmptying { room.empty(of: T.self) }
    } else {
      pending?.abandon(UnresolvedFutureError())
    }
  }

  /// Whether there is a result or one is being stored.
  @inlinable
  public var isResolved: Bool {
    phase.load(ordering: .acquiring) != FuturePhase.pending
  }

  /// Whether there is a result.
  @inlinable
  var isSettled: Bool {
    phase.load(ordering: .acquiring) >= FuturePhase.settled
  }

  /// The result of a settled future.
  @inlinable
  var settledResult: Result {
    defer {
      // The compiler does not see that only this future retains the contents of its room. Loading
      // the phase keeps the future alive until the result is read. That is cheaper than an extended
      // lifetime, which would also prevent allocating the future on the stack.
      _ = phase.load(ordering: .acquiring)
    }
    return if let error = room.error { .error(error) } else { .value(room.value(as: T.self)) }
  }

  /// Returns the result and marks it as sent; nil if there is none.
  @inlinable
  func takeResult() -> Result? {
    guard isSettled else { return nil }
    markSent()
    return settledResult
  }

  /// Marks the result as sent.
  ///
  /// Written only once, so that threads that share a future do not invalidate each other's cache
  /// line.
  @inlinable
  func markSent() {
    if phase.load(ordering: .relaxed) != FuturePhase.sent {
      phase.store(FuturePhase.sent, ordering: .releasing)
    }
  }

  /// Reverts `markSent()` for a settled future without other references.
  @inlinable
  func markUnsent() {
    phase.store(FuturePhase.settled, ordering: .relaxed)
  }
}
