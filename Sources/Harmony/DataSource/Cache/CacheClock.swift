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

/// A clock with a number that is quicker to read than its time.
@usableFromInline
package protocol TickingClock: CacheClock {
  /// A number that stays for a small part of a second; nil where every look has to be at `now`.
  ///
  /// Two readings may be the same only if less than a tenth of a second lies between them.
  var tick: Int64? { get }
}

/// The system's monotonic clock, which also counts while the machine sleeps.
public struct MonotonicClock: CacheClock {
  private let start = Self.nanoseconds

  /// The time since this clock was created.
  public var now: Duration { .nanoseconds(Self.nanoseconds - start) }

  /// Creates a clock that starts at zero.
  public init() {}

  /// The system's time as of its last timer interrupt.
  ///
  /// It does not count while the machine sleeps, but is another after that.
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
    let (seconds, attoseconds) = origin.duration(to: .now).components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
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
