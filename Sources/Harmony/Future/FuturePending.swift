public import Synchronization

/// What a future holds until it has a result.
///
/// It is an object of its own, so that a future that is complete from the start has none of it. And
/// none of it depends on the type of the value, so that it need not be compiled for each.
@usableFromInline
final class FuturePending: Sendable {
  /// Called before the result is stored, with an object that holds it for the interceptor.
  @usableFromInline
  typealias Interceptor = @Sendable (AnyObject) -> Void

  private struct State {
    var observers = FutureObservers()
    var cancelHandlers: [@Sendable () -> Void] = []
    var interceptors: [Interceptor] = []

    /// The future that this one is made from, to cancel it too.
    ///
    /// Its producer keeps it alive. A strong reference would be a cycle, and a future that nobody
    /// can complete any more would never be noticed.
    weak var source: (any AnyFuture)?

    /// The futures that this one waits for, where there are several.
    var sources: [WeakFuture] = []
  }

  private let state: Locked<State>

  @usableFromInline
  init() {
    state = Locked(State())
  }

  @usableFromInline
  init(source: any AnyFuture) {
    state = Locked(State(source: source))
  }

  /// Adds an observer, unless the future is settled.
  @usableFromInline
  func observe(
    _ phase: borrowing Atomic<UInt8>, _ observer: @escaping FutureObserver
  ) -> Bool {
    state.withLock { state in
      guard phase.load(ordering: .acquiring) < FuturePhase.settled else { return false }
      state.observers.append(observer)
      return true
    }
  }

  /// Adds a closure for a cancellation to call, unless the future is settled.
  func onCancel(
    _ phase: borrowing Atomic<UInt8>, _ handler: @escaping @Sendable () -> Void
  ) -> Bool {
    state.withLock { state in
      guard phase.load(ordering: .acquiring) < FuturePhase.settled else { return false }
      state.cancelHandlers.append(handler)
      return true
    }
  }

  /// Adds an interceptor, unless there is a result already.
  func intercept(_ phase: borrowing Atomic<UInt8>, _ interceptor: @escaping Interceptor) {
    state.withLock { state in
      guard phase.load(ordering: .acquiring) == FuturePhase.pending else { return }
      state.interceptors.append(interceptor)
    }
  }

  /// Sets the future that is cancelled too, unless there is a result already.
  func setSource(_ phase: borrowing Atomic<UInt8>, _ source: any AnyFuture) -> Bool {
    state.withLock { state in
      guard phase.load(ordering: .acquiring) == FuturePhase.pending else { return false }
      state.source = source
      return true
    }
  }

  /// Adds futures that are cancelled too, unless the future is settled.
  func addSources(_ phase: borrowing Atomic<UInt8>, _ sources: [any AnyFuture]) -> Bool {
    state.withLock { state in
      guard phase.load(ordering: .acquiring) < FuturePhase.settled else { return false }
      state.sources += sources.map(WeakFuture.init)
      return true
    }
  }

  /// Makes the caller the one who completes the future, or returns nil if there was one before.
  @usableFromInline
  func claim(_ phase: borrowing Atomic<UInt8>) -> [Interceptor]? {
    state.withLock { state in
      guard phase.load(ordering: .acquiring) == FuturePhase.pending else { return nil }
      phase.store(FuturePhase.claimed, ordering: .releasing)
      return state.interceptors
    }
  }

  /// Publishes the result that the caller has claimed and stored, to those who waited for it.
  @usableFromInline
  func settle(_ phase: borrowing Atomic<UInt8>, _ future: AnyObject, _ cascade: inout Cascade) {
    cascade.append(Cascade.Step(observers: end(phase).observers, future: future, error: nil))
  }

  /// Publishes a cancellation that the caller has claimed and stored, and adds the futures that this
  /// one was made from to those that are still to be cancelled, the first one last.
  func cancel(
    _ phase: borrowing Atomic<UInt8>, _ future: AnyObject, _ next: inout [any AnyFuture]
  ) {
    let ended = end(phase)
    for handler in ended.cancelHandlers { handler() }
    Cascade.run {
      $0.append(Cascade.Step(observers: ended.observers, future: future, error: nil))
    }
    next += ended.sources.reversed().compactMap(\.future)
    if let source = ended.source { next.append(source) }
  }

  /// Makes the phase settled, and takes what was there until then.
  private func end(_ phase: borrowing Atomic<UInt8>) -> State {
    state.withLock { state in
      let ended = state
      state = State()
      phase.store(
        ended.observers.isEmpty ? FuturePhase.settled : FuturePhase.sent, ordering: .releasing)
      return ended
    }
  }

  /// Tells those who wait that there will be no result for them.
  @usableFromInline
  func abandon(_ error: any Error) {
    let observers = state.withLock { state in
      var observers = FutureObservers()
      swap(&observers, &state.observers)
      return observers
    }
    Cascade.run { $0.append(Cascade.Step(observers: observers, future: nil, error: error)) }
  }

  var isObserved: Bool {
    state.withLock { !$0.observers.isEmpty }
  }
}

/// A future whose value's type does not matter.
@usableFromInline
protocol AnyFuture: AnyObject, Sendable {
  /// Completes this future with a cancellation, and adds the futures that it was made from to those
  /// that are still to be cancelled.
  func cancelStep(_ next: inout [any AnyFuture])
}

/// A reference that does not keep its future alive.
struct WeakFuture: Sendable {
  weak let future: (any AnyFuture)?

  init(_ future: any AnyFuture) {
    self.future = future
  }
}

/// How far a future has come, in numbers that only grow while anybody can see them.
@usableFromInline
enum FuturePhase {
  @inlinable static var pending: UInt8 { 0 }
  /// A result has been chosen, and interceptors are looking at it.
  @inlinable static var claimed: UInt8 { 1 }
  @inlinable static var settled: UInt8 { 2 }
  /// Settled, and the result was handed to somebody.
  @inlinable static var sent: UInt8 { 3 }
}
