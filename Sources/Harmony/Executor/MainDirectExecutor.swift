import Dispatch
import Foundation

/// An executor that runs closures on the main thread: immediately if called on it, otherwise later.
///
/// - Note: On Linux, the main actor may leave the main thread after its first suspension, and
///   closures wait until the application services the main queue. Nothing in this library uses this
///   executor unless asked to.
public struct MainDirectExecutor: Executor {
  /// Always nil.
  public var name: String? { nil }

  /// Always false: the contents of the main queue are unknown.
  public var executing: Bool { false }

  /// Creates an executor; all instances are equivalent.
  public init() {}

  /// Runs a closure on the main thread.
  ///
  /// - Parameter closure: The work, which does not block the main queue after it has returned.
  public func submit(
    _ closure: @escaping @Sendable (_ end: @escaping @Sendable () -> Void) -> Void
  ) {
    if Thread.isMainThread {
      closure {}
    } else {
      DispatchQueue.main.async { closure {} }
    }
  }
}
