import Dispatch
import Foundation

/// Runs closures on the main thread: at once if it is the calling thread, later if not.
///
/// - Note: On Linux the main actor may run on another thread than the main one after its first
///   suspension, and closures wait for a main queue that somebody has to serve. Nothing in this
///   library uses this executor unless told to.
public struct MainDirectExecutor: Executor {
  /// Nil: there is one main thread, and it needs no name.
  public var name: String? { nil }

  /// False: what waits on the main queue is not known here.
  public var executing: Bool { false }

  /// Creates an executor; all of them are the same.
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
