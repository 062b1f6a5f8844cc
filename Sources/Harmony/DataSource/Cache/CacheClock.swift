import Foundation

/// The clock that a cache measures the age of its entries with.
///
/// Tests pass a clock that they advance by hand.
public protocol CacheClock: Sendable {
  /// The time since a fixed instant that the clock chooses.
  ///
  /// It never decreases, so a wall clock is not suitable.
  var now: Duration { get }
}

/// A clock with a tick counter that is cheaper to read than its time.
@usableFromInline
package protocol TickingClock: CacheClock {
  /// A number that stays the same for a short time; nil if every check has to read `now`.
  ///
  /// Two readings may be equal only if less than a tenth of a second lies between them.
  var tick: Int64? { get }
}

/// The system's monotonic clock, which keeps running while the machine sleeps.
public struct MonotonicClock: CacheClock {
  private let start = Self.nanoseconds

  /// The time since this clock was created.
  public var now: Duration { .nanoseconds(Self.nanoseconds - start) }

  /// Creates a clock that starts at zero.
  public init() {}

  /// The system's time at its last timer interrupt.
  ///
  /// It stops while the machine sleeps, but has a new value afterwards.
  @usableFromInline static var tick: Int64? {
    #if os(Linux)
    nanoseconds(CLOCK_MONOTONIC_COARSE)
    #else
    nil
    #endif
  }

  // The clock of `ContinuousClock`, whose instants take longer to compute than to read.
  private static var nanoseconds: Int64 {
    #if os(Linux)
    nanoseconds(CLOCK_BOOTTIME)
    #else
    CacheTime(origin.duration(to: .now)).nanoseconds
    #endif
  }

  #if os(Linux)
  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
  #else
  private static let origin = ContinuousClock.now
  #endif
}
