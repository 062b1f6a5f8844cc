import Foundation
import Harmony

/// Tells what the times of a cache's clock, which begins anywhere, are in the calendar.
///
/// One time is one date for as long as the program runs, however long a look takes, unless one of
/// both clocks is set meanwhile.
final class CacheCalendar: Sendable {
  /// How far both clocks may come apart before the dates follow.
  private static let maximumDrift = Duration.seconds(1)

  private let time: @Sendable () -> Duration
  private let date: @Sendable () -> Duration
  private let known = Locked<Duration?>(nil)

  /// - Parameters:
  ///   - time: The time by the clock of the cache.
  ///   - date: The time since 1970.
  init(
    _ time: @escaping @Sendable () -> Duration,
    date: @escaping @Sendable () -> Duration = { CacheCalendar.wallTime }
  ) {
    self.time = time
    self.date = date
    _ = offset
  }

  /// What to add to a time of the cache for the time since 1970.
  var offset: Duration {
    let before = date()
    let time = time()
    let after = date()
    let found = before - time
    return known.withLock { known in
      // Who is stopped between two looks at clocks does not know how far they are apart.
      let isSure = after - before < Self.maximumDrift / 2
      if let known, !isSure || abs(found - known) < Self.maximumDrift { return known }
      known = found
      return found
    }
  }

  /// The time by the clock of the cache.
  var now: Duration { time() }

  /// The time of the cache's clock at a date, in seconds since 1970; nil for one that does not come.
  func time(_ date: Double) -> Duration? {
    guard date < InspectedEntry.CachedState.never else { return nil }
    // To the nanosecond, as the cache counts.
    let seconds = max(date, -InspectedEntry.CachedState.never).rounded(.down)
    let nanoseconds = ((max(date, seconds) - seconds) * 1e9).rounded()
    return .seconds(Int64(seconds)) + .nanoseconds(Int64(nanoseconds)) - offset
  }

  private func abs(_ span: Duration) -> Duration { span < .zero ? .zero - span : span }

  private static var wallTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
