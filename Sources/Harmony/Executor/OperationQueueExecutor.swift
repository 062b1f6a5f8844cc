import Dispatch
public import Foundation

/// Runs closures on an operation queue.
public final class OperationQueueExecutor: Executor {
  /// How the closures of a queue relate.
  public enum QueueType: Sendable, Hashable {
    /// Each starts after the one before has ended.
    case serial
    /// At most so many run side by side; one, if the count is less.
    ///
    /// The number that `OperationQueue` has for its own choice is left to it.
    case concurrent(count: Int)
  }

  /// The queue that closures run on.
  public let queue: OperationQueue

  /// The name of the queue.
  public var name: String? { queue.name }

  /// Whether a closure is running or waiting to run.
  public var executing: Bool { queue.executing }

  /// Creates an executor for a queue that exists.
  ///
  /// - Parameter queue: Where closures run.
  public init(_ queue: OperationQueue) {
    self.queue = queue
  }

  /// Creates an executor with a queue of its own.
  ///
  /// - Parameters:
  ///   - type: How closures relate.
  ///   - name: The name of the queue; by default a fresh one.
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

  /// Runs a closure on the queue, one of whose threads is blocked until the closure ends.
  ///
  /// - Parameter closure: The work. It must call the closure that it is given when it has ended.
  public func submit(
    _ closure: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void
  ) {
    queue.submit(closure)
  }
}

extension OperationQueue: Executor {
  /// Whether an operation is running or waiting to run.
  public var executing: Bool { operationCount > 0 }

  /// Runs a closure on the queue, one of whose threads is blocked until the closure ends.
  ///
  /// - Parameter closure: The work. It must call the closure that it is given when it has ended.
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
