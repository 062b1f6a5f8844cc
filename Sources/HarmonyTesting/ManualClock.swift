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

  /// Moves the clock forward, at most to as many seconds as an integer can count.
  ///
  /// - Parameter duration: How far; a negative time moves the clock back, which sources do not
  ///   expect.
  public func advance(by duration: Duration) {
    let step = Self.clamped(duration)
    time.withLock { $0 = Self.clamped($0 + step) }
  }

  private static func clamped(_ time: Duration) -> Duration {
    let end = Duration.seconds(Int64.max)
    return min(max(time, .zero - end), end)
  }
}
