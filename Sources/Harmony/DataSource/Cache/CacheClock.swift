import Foundation

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
  private let start = Self.nanoseconds

  /// The time since this clock was created.
  public var now: Duration { .nanoseconds(Self.nanoseconds - start) }

  /// Creates a clock that starts at zero.
  public init() {}

  // The clock of `ContinuousClock`, whose instants take longer to compute than to read.
  private static var nanoseconds: Int64 {
    #if os(Linux)
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    #else
    let (seconds, attoseconds) = origin.duration(to: .now).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    #endif
  }

  #if !os(Linux)
  private static let origin = ContinuousClock.now
  #endif
}
