public import Dispatch
public import Foundation

extension Future {
  /// Holds the result back for a time after it has come.
  ///
  /// - Parameters:
  ///   - interval: The time in seconds; none if it is negative or not a number.
  ///   - queue: Where the returned future is completed.
  /// - Returns: A future with the same result, later.
  public func withDelay(
    _ interval: TimeInterval, queue: DispatchQueue = .global()
  ) -> Future<T> {
    heldBack { resolve in
      queue.asyncAfter(deadline: .now() + interval.asDelay, execute: resolve)
    }
  }

  /// Holds the result back for a time, during which the completing thread is blocked.
  ///
  /// - Parameter interval: The time in seconds; none if it is negative or not a number.
  /// - Returns: A future with the same result, later.
  public func withBlockingDelay(_ interval: TimeInterval) -> Future<T> {
    onCompletion { Thread.sleep(forTimeInterval: interval.asDelay) }
  }

  /// Holds the result back until a point in time.
  ///
  /// - Parameters:
  ///   - deadline: The earliest time of the result.
  ///   - queue: Where the returned future is completed.
  /// - Returns: A future with the same result, later.
  public func after(_ deadline: DispatchTime, queue: DispatchQueue = .global()) -> Future<T> {
    heldBack { queue.asyncAfter(deadline: deadline, execute: $0) }
  }

  /// Holds the result back until a date.
  ///
  /// - Parameters:
  ///   - date: The earliest date of the result.
  ///   - queue: Where the returned future is completed.
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
  /// A time to wait, which is none where this is no number or has passed.
  fileprivate var asDelay: TimeInterval { isNaN ? 0 : Swift.max(self, 0) }
}
