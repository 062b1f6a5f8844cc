public import Dispatch
import Synchronization

/// Runs closures on a dispatch queue.
public final class DispatchQueueExecutor: Executor {
  /// How the closures of a queue relate.
  public enum QueueType: Sendable, Hashable {
    /// Each starts after the one before has ended.
    case serial
    /// They run side by side.
    case concurrent
  }

  /// The queue that closures run on.
  public let queue: DispatchQueue

  private let running = Atomic(0)

  /// The label of the queue.
  public var name: String? { queue.label }

  /// Whether a closure is running or waiting to run.
  public var executing: Bool { running.load(ordering: .acquiring) > 0 }

  /// Creates an executor for a queue that exists.
  ///
  /// - Parameter queue: Where closures run.
  public init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  /// Creates an executor with a queue of its own.
  ///
  /// - Parameters:
  ///   - type: How closures relate.
  ///   - name: The label of the queue; by default a fresh one.
  public convenience init(_ type: QueueType = .serial, name: String? = nil) {
    let label = name ?? ExecutorName.next()
    self.init(
      DispatchQueue(label: label, attributes: type == .concurrent ? .concurrent : []))
  }

  /// Runs a closure on the queue, one of whose threads is blocked until the closure ends.
  ///
  /// - Parameter closure: The work. It must call the closure that it is given when it has ended.
  public func submit(
    _ closure: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void
  ) {
    running.add(1, ordering: .acquiringAndReleasing)
    queue.submit { end in
      closure {
        end()
        self.running.subtract(1, ordering: .acquiringAndReleasing)
      }
    }
  }
}

extension DispatchQueue: Executor {
  /// The label of the queue.
  public var name: String? { label }

  /// False, because a queue does not tell; ``DispatchQueueExecutor`` does.
  public var executing: Bool { false }

  /// Runs a closure on the queue, one of whose threads is blocked until the closure ends.
  ///
  /// - Parameter closure: The work. It must call the closure that it is given when it has ended.
  public func submit(
    _ closure: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void
  ) {
    async {
      let semaphore = DispatchSemaphore(value: 0)
      closure { semaphore.signal() }
      semaphore.wait()
    }
  }
}

/// Names for queues that were not given one.
enum ExecutorName {
  private static let count = Atomic(0)

  static func next() -> String {
    "com.mobilejazz.executor.\(count.add(1, ordering: .relaxed).newValue)"
  }
}
