/// What a future holds until it has a result.
///
/// None of it depends on the type of the value: in code that is not specialised each generic type
/// is looked up at run time, and that would cost more than all the rest.
struct FuturePending {
  /// Called with the completed future; or with an error and nothing, if it will have no result.
  typealias Observer = @Sendable (AnyObject?, (any Error)?, inout Cascade) -> Void

  var observers: [Observer] = []
  var cancelHandlers: [@Sendable () -> Void] = []

  /// Called before the result is stored, with an object that holds it for the interceptor.
  var interceptors: [@Sendable (AnyObject) -> Void] = []

  /// The future that this one is made from, to cancel it too.
  ///
  /// Its producer keeps it alive. A strong reference would be a cycle, and a future that nobody
  /// can complete any more would never be noticed.
  weak var source: (any AnyFuture)?

  /// Hands the end of a future to those who wait for it, in the cascade's next round.
  func notify(_ future: AnyObject?, _ error: (any Error)?, _ cascade: inout Cascade) {
    guard !observers.isEmpty else { return }
    cascade.append { [observers] cascade in
      for observer in observers { observer(future, error, &cascade) }
    }
  }
}

/// A future whose value's type does not matter.
protocol AnyFuture: AnyObject, Sendable {
  /// Completes this future with a cancellation and returns the future that it was made from.
  func cancelStep() -> (any AnyFuture)?
}

/// How far a future has come, in numbers that only ever grow.
enum FuturePhase {
  static let pending: UInt8 = 0
  /// A result has been chosen, and interceptors are looking at it.
  static let claimed: UInt8 = 1
  static let settled: UInt8 = 2
  /// Settled, and the result was handed to somebody.
  static let sent: UInt8 = 3
}
