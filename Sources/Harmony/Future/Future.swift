public import Synchronization

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
  /// A number of `FuturePhase`.
  ///
  /// It changes under the lock of `pending`, except from settled to sent and back.
  @usableFromInline let phase: Atomic<UInt8>

  /// Those who wait for the result; nil if it was there from the start.
  @usableFromInline let pending: FuturePending?

  // Invariant: filled at most once, before `phase` becomes settled by a releasing store of the one
  // thread that claimed the result; read only after an acquiring load of `phase` that said settled,
  // or when there are no references any more. Nothing else can be using it then, so that the runtime
  // need not watch the accesses.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var room = FutureRoom()

  /// Creates a future without a result, to be completed by one of the `set` methods.
  @inlinable
  public init() {
    phase = Atomic(FuturePhase.pending)
    pending = FuturePending()
  }

  /// Creates a future that has its value already.
  ///
  /// - Parameter value: The value.
  @inlinable
  public init(_ value: T) {
    phase = Atomic(FuturePhase.settled)
    pending = nil
    room.fill(value: value)
  }

  /// Creates a future that has failed already.
  ///
  /// - Parameter error: The error.
  @inlinable
  public init(_ error: any Error) {
    phase = Atomic(FuturePhase.settled)
    pending = nil
    room.fill(error: error)
  }

  /// Creates a future that is cancelled towards another one.
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

  /// Whether there is a result, or one is being delivered.
  @inlinable
  public var isResolved: Bool {
    phase.load(ordering: .acquiring) != FuturePhase.pending
  }

  /// Whether there is a result.
  @inlinable
  var isSettled: Bool {
    phase.load(ordering: .acquiring) >= FuturePhase.settled
  }

  /// The result, of a future that is settled.
  @inlinable
  var settledResult: Result {
    defer {
      // The compiler does not see that only this future keeps alive what its room refers to. A look
      // at the phase keeps the future until the result is taken, for less than a fixed lifetime,
      // which would also keep it from the stack.
      _ = phase.load(ordering: .acquiring)
    }
    return if let error = room.error { .error(error) } else { .value(room.value(as: T.self)) }
  }

  /// The result if there is one, which counts as handing it out.
  @inlinable
  func takeResult() -> Result? {
    guard isSettled else { return nil }
    markSent()
    return settledResult
  }

  /// Notes that the result was handed out.
  ///
  /// It is written once, so that threads that share a future do not take the memory from each
  /// other.
  @inlinable
  func markSent() {
    if phase.load(ordering: .relaxed) != FuturePhase.sent {
      phase.store(FuturePhase.sent, ordering: .releasing)
    }
  }

  /// Takes back that the result was handed out, of a settled future that nobody else refers to.
  @inlinable
  func markUnsent() {
    phase.store(FuturePhase.settled, ordering: .relaxed)
  }
}
