public import Dispatch
public import Foundation

extension Future {
  /// Delays the result by a time interval.
  ///
  /// - Parameters:
  ///   - interval: The delay in seconds; none if it is negative or NaN.
  ///   - queue: The queue that completes the returned future.
  /// - Returns: A future with the same result, later.
  public func withDelay(
    _ interval: TimeInterval, queue: DispatchQueue = .global()
  ) -> Future<T> {
    heldBack { resolve in
      queue.asyncAfter(deadline: .now() + interval.asDelay, execute: resolve)
    }
  }

  /// Delays the result by a time interval, blocking the completing thread.
  ///
  /// - Parameter interval: The delay in seconds; none if it is negative or NaN.
  /// - Returns: A future with the same result, later.
  public func withBlockingDelay(_ interval: TimeInterval) -> Future<T> {
    onCompletion { Thread.sleep(forTimeInterval: interval.asDelay) }
  }

  /// Delays the result until a point in time.
  ///
  /// - Parameters:
  ///   - deadline: The earliest time of the result.
  ///   - queue: The queue that completes the returned future.
  /// - Returns: A future with the same result, later.
  public func after(_ deadline: DispatchTime, queue: DispatchQueue = .global()) -> Future<T> {
    heldBack { queue.asyncAfter(deadline: deadline, execute: $0) }
  }

  /// Delays the result until a date.
  ///
  /// - Parameters:
  ///   - date: The earliest date of the result.
  ///   - queue: The queue that completes the returned future.
  /// - Returns: A future with the same result, later.
  public func after(_ date: Date, queue: DispatchQueue = .global()) -> Future<T> {
    heldBack { resolve in
      queue.asyncAfter(wallDeadline: .now() + date.timeIntervalSinceNow.asDelay, execute: resolve)
    }
  }

  private func heldBack(
    _ schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> Future<T> {
    let later = Future<T>(source: self)
    observe { result, _ in
      schedule { later.resolve(result) }
    }
    return later
  }
}

extension TimeInterval {
  /// The time to wait in seconds; zero if the interval is negative or NaN.
  fileprivate var asDelay: TimeInterval { isNaN ? 0 : Swift.max(self, 0) }
}
