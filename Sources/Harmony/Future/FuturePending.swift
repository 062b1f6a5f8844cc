public import Synchronization

/// The state of a future that has no result yet.
///
/// It is a separate object, so that a future created with a result does not need it. It does not
/// depend on the type of the value, so that its code is not generic.
@usableFromInline
final class FuturePending: Sendable {
  /// A callback before the result is stored, with an object that holds the result.
  @usableFromInline
  typealias Interceptor = @Sendable (AnyObject) -> Void

  private struct State {
    var observers = FutureObservers()
    var cancelHandlers: [@Sendable () -> Void] = []
    var interceptors: [Interceptor] = []

    /// The future that this one is derived from, which is canceled too.
    ///
    /// Its producer keeps it alive. A strong reference would be a cycle, and an abandoned future
    /// would never be detected.
    weak var source: (any AnyFuture)?

    /// The futures that this one waits for, if there are several.
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

  /// Adds an observer; returns false if the future is settled.
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

  /// Adds a cancel handler; returns false if the future is settled.
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

  /// Sets the future that is canceled too; returns false if there is a result already.
  func setSource(_ phase: borrowing Atomic<UInt8>, _ source: any AnyFuture) -> Bool {
    state.withLock { state in
      guard phase.load(ordering: .acquiring) == FuturePhase.pending else { return false }
      state.source = source
      return true
    }
  }

  /// Adds futures that are canceled too; returns false if the future is settled.
  func addSources(_ phase: borrowing Atomic<UInt8>, _ sources: [any AnyFuture]) -> Bool {
    state.withLock { state in
      guard phase.load(ordering: .acquiring) < FuturePhase.settled else { return false }
      state.sources += sources.map(WeakFuture.init)
      return true
    }
  }

  /// Claims the right to complete the future and returns its interceptors; nil if already claimed.
  @usableFromInline
  func claim(_ phase: borrowing Atomic<UInt8>) -> [Interceptor]? {
    state.withLock { state in
      guard phase.load(ordering: .acquiring) == FuturePhase.pending else { return nil }
      phase.store(FuturePhase.claimed, ordering: .releasing)
      return state.interceptors
    }
  }

  /// Publishes the result that the caller has claimed and stored to the observers.
  @usableFromInline
  func settle(_ phase: borrowing Atomic<UInt8>, _ future: AnyObject, _ cascade: inout Cascade) {
    cascade.append(Cascade.Step(observers: end(phase).observers, future: future, error: nil))
  }

  /// Publishes a cancellation that the caller has claimed and stored, and adds the futures that
  /// this one was derived from to those still to be canceled, the first one last.
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

  /// Marks the future as settled and returns the previous state.
  private func end(_ phase: borrowing Atomic<UInt8>) -> State {
    state.withLock { state in
      let ended = state
      state = State()
      phase.store(
        ended.observers.isEmpty ? FuturePhase.settled : FuturePhase.sent, ordering: .releasing)
      return ended
    }
  }

  /// Notifies the observers that there will be no result.
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

/// A future regardless of the type of its value.
@usableFromInline
protocol AnyFuture: AnyObject, Sendable {
  /// Completes this future with a cancellation, and adds the futures that it was derived from to
  /// those still to be canceled.
  func cancelStep(_ next: inout [any AnyFuture])
}

/// A weak reference to a future.
struct WeakFuture: Sendable {
  weak let future: (any AnyFuture)?

  init(_ future: any AnyFuture) {
    self.future = future
  }
}

/// The phases of a future, which only ever increase while it is shared.
@usableFromInline
enum FuturePhase {
  @inlinable static var pending: UInt8 { 0 }
  /// A result has been chosen and interceptors are running.
  @inlinable static var claimed: UInt8 { 1 }
  @inlinable static var settled: UInt8 { 2 }
  /// Settled, and the result has been delivered.
  @inlinable static var sent: UInt8 { 3 }
}
