public import Dispatch
import Synchronization

/// An executor that runs closures on a dispatch queue.
public final class DispatchQueueExecutor: Executor {
  /// The concurrency of a queue.
  public enum QueueType: Sendable, Hashable {
    /// Each closure starts after the previous one has ended.
    case serial
    /// Closures run concurrently.
    case concurrent
  }

  /// The queue that closures run on.
  public let queue: DispatchQueue

  private let running = Atomic(0)

  /// The label of the queue.
  public var name: String? { queue.label }

  /// Whether a closure is running or waiting to run.
  public var executing: Bool { running.load(ordering: .acquiring) > 0 }

  /// Creates an executor for an existing queue.
  ///
  /// - Parameter queue: The queue that closures run on.
  public init(_ queue: DispatchQueue) {
    self.queue = queue
  }

  /// Creates an executor with a new queue.
  ///
  /// - Parameters:
  ///   - type: The concurrency of the queue.
  ///   - name: The label of the queue; by default a unique one.
  public convenience init(_ type: QueueType = .serial, name: String? = nil) {
    let label = name ?? ExecutorName.next()
    self.init(
      DispatchQueue(label: label, attributes: type == .concurrent ? .concurrent : []))
  }

  /// Runs a closure on the queue, blocking one of its threads until the closure ends.
  ///
  /// - Parameter closure: The work. It must call its argument when it has ended.
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

  /// Always false, because a dispatch queue does not expose this; use ``DispatchQueueExecutor``.
  public var executing: Bool { false }

  /// Runs a closure on the queue, blocking one of its threads until the closure ends.
  ///
  /// - Parameter closure: The work. It must call its argument when it has ended.
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

/// A generator of names for queues that have none.
enum ExecutorName {
  private static let count = Atomic(0)

  static func next() -> String {
    "com.mobilejazz.executor.\(count.add(1, ordering: .relaxed).newValue)"
  }
}
