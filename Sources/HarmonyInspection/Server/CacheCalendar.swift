import Foundation
import Harmony

/// A conversion between the times of a cache's clock, which starts anywhere, and dates.
///
/// A time converts to the same date for as long as the program runs, unless one of the clocks is
/// adjusted.
final class CacheCalendar: Sendable {
  /// The maximum difference between the clocks before the conversion is adjusted.
  private static let maximumDrift = Duration.seconds(1)

  private let time: @Sendable () -> Duration
  private let date: @Sendable () -> Duration
  private let known = Locked<Duration?>(nil)

  /// Creates a conversion between two clocks.
  ///
  /// - Parameters:
  ///   - time: Returns the time by the cache's clock.
  ///   - date: Returns the time since 1970.
  init(
    _ time: @escaping @Sendable () -> Duration,
    date: @escaping @Sendable () -> Duration = { CacheCalendar.wallTime }
  ) {
    self.time = time
    self.date = date
    _ = offset
  }

  /// The offset to add to a time of the cache to get the time since 1970.
  var offset: Duration {
    let before = date()
    let time = time()
    let after = date()
    let found = before - time
    return known.withLock { known in
      // If the thread was suspended between reading the clocks, the offset is inaccurate.
      let isSure = after - before < Self.maximumDrift / 2
      if let known, !isSure || abs(found - known) < Self.maximumDrift { return known }
      known = found
      return found
    }
  }

  /// The current time by the cache's clock.
  var now: Duration { time() }

  /// Returns the time by the cache's clock at a date in seconds since 1970; nil for never.
  func time(_ date: Double) -> Duration? {
    guard date < InspectedEntry.CachedState.never else { return nil }
    // Rounded to nanoseconds, the resolution of the cache.
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
