/// Tells a cache what time it is.
///
/// A test passes a clock that it moves by hand.
public protocol CacheClock: Sendable {
  /// The time since an instant that is the clock's own and never changes.
  ///
  /// It must not go back, so the wall clock will not do.
  var now: Duration { get }
}

/// The system's monotonic clock, which also counts while the machine sleeps.
public struct MonotonicClock: CacheClock {
  private let start = ContinuousClock.now

  /// The time since this clock was created.
  public var now: Duration { start.duration(to: ContinuousClock.now) }

  /// Creates a clock that starts at zero.
  public init() {}
}
