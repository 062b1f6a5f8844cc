import Dispatch
public import Foundation

/// An executor that runs closures on an operation queue.
public final class OperationQueueExecutor: Executor {
  /// The concurrency of a queue.
  public enum QueueType: Sendable, Hashable {
    /// Each closure starts after the previous one has ended.
    case serial
    /// Up to `count` closures run concurrently; one if the count is less.
    ///
    /// `OperationQueue.defaultMaxConcurrentOperationCount` leaves the number to the system.
    case concurrent(count: Int)
  }

  /// The queue that closures run on.
  public let queue: OperationQueue

  /// The name of the queue.
  public var name: String? { queue.name }

  /// Whether a closure is running or waiting to run.
  public var executing: Bool { queue.executing }

  /// Creates an executor for an existing queue.
  ///
  /// - Parameter queue: The queue that closures run on.
  public init(_ queue: OperationQueue) {
    self.queue = queue
  }

  /// Creates an executor with a new queue.
  ///
  /// - Parameters:
  ///   - type: The concurrency of the queue.
  ///   - name: The name of the queue; by default a unique one.
  public convenience init(_ type: QueueType = .serial, name: String? = nil) {
    let queue = OperationQueue()
    queue.name = name ?? ExecutorName.next()
    switch type {
    case .serial: queue.maxConcurrentOperationCount = 1
    case .concurrent(OperationQueue.defaultMaxConcurrentOperationCount): break
    case .concurrent(let count): queue.maxConcurrentOperationCount = max(count, 1)
    }
    self.init(queue)
  }

  /// Runs a closure on the queue, blocking one of its threads until the closure ends.
  ///
  /// - Parameter closure: The work. It must call its argument when it has ended.
  public func submit(
    _ closure: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void
  ) {
    queue.submit(closure)
  }
}

extension OperationQueue: Executor {
  /// Whether an operation is running or waiting to run.
  public var executing: Bool { operationCount > 0 }

  /// Runs a closure on the queue, blocking one of its threads until the closure ends.
  ///
  /// - Parameter closure: The work. It must call its argument when it has ended.
  public func submit(
    _ closure: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void
  ) {
    addOperation {
      let semaphore = DispatchSemaphore(value: 0)
      closure { semaphore.signal() }
      semaphore.wait()
    }
  }
}
