/// An object that runs closures.
public protocol Executor: Sendable {
  /// A name for debugging, if there is one.
  var name: String? { get }

  /// Whether a closure is running or waiting to run.
  var executing: Bool { get }

  /// Runs a closure, now or later.
  ///
  /// - Parameter closure: The work. It must call its argument when it has ended; a serial executor
  ///   runs no other closure until then.
  func submit(_ closure: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void)
}

/// An executor that runs closures immediately, on the calling thread.
public struct DirectExecutor: Executor {
  /// Always nil.
  public var name: String? { nil }

  /// Always false: closures run immediately.
  public var executing: Bool { false }

  /// Creates an executor; all instances are equivalent.
  @inlinable
  public init() {}

  /// Runs a closure on the calling thread, and returns when the closure has.
  ///
  /// - Parameter closure: The work.
  public func submit(
    _ closure: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void
  ) {
    closure {}
  }
}
