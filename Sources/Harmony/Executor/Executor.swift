/// A place where closures run.
public protocol Executor: Sendable {
  /// A name for debugging, if there is one.
  var name: String? { get }

  /// Whether a closure is running or waiting to run.
  var executing: Bool { get }

  /// Runs a closure, now or later.
  ///
  /// - Parameter closure: The work. It must call the closure that it is given when it has ended;
  ///   a serial executor runs nothing else before.
  func submit(_ closure: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void)
}

/// Runs closures at once, on the calling thread.
public struct DirectExecutor: Executor {
  /// Nil: the place is wherever the caller is.
  public var name: String? { nil }

  /// False: nothing ever waits here.
  public var executing: Bool { false }

  /// Creates an executor; all of them are the same.
  @inlinable
  public init() {}

  /// Runs a closure on the calling thread.
  ///
  /// - Parameter closure: The work. It has returned when this returns.
  public func submit(
    _ closure: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void
  ) {
    closure {}
  }
}
