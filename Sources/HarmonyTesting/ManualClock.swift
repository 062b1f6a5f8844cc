public import Harmony

/// A clock that stands still until a test moves it.
///
/// Several threads may share one.
public final class ManualClock: CacheClock {
  private let time = Locked(Duration.zero)

  /// The time that the clock was moved by so far.
  public var now: Duration { time.withLock { $0 } }

  /// Creates a clock that shows zero.
  public init() {}

  /// Moves the clock forward.
  ///
  /// - Parameter duration: How far.
  public func advance(by duration: Duration) {
    time.withLock { $0 += duration }
  }
}
