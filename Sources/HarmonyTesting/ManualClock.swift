public import Harmony

/// A clock that only moves when a test advances it.
///
/// Several threads may share a clock.
public final class ManualClock: CacheClock {
  private let time = Locked(Duration.zero)

  /// The time by which the clock was advanced so far.
  public var now: Duration { time.withLock { $0 } }

  /// Creates a clock at zero.
  public init() {}

  /// Advances the clock, up to the maximum number of seconds in an `Int64`.
  ///
  /// - Parameter duration: The time; a negative one moves the clock backwards, which sources do not
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
