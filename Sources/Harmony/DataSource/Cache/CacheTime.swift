/// A time of a cache's clock in a form that is quick to compare.
///
/// It counts whole nanoseconds and is clamped to 292 years.
@usableFromInline
struct CacheTime: Comparable, Sendable {
  @usableFromInline let nanoseconds: Int64

  @inlinable static var zero: CacheTime { CacheTime(nanoseconds: 0) }
  /// A time that is never reached.
  @inlinable static var distant: CacheTime { CacheTime(nanoseconds: .max) }
  @inlinable static var second: CacheTime { CacheTime(nanoseconds: 1_000_000_000) }

  @inlinable
  init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Creates a time from a duration, truncated to whole nanoseconds.
  @usableFromInline
  init(_ duration: Duration) {
    // Checked first, because converting the seconds of an extreme duration could overflow.
    guard duration < .nanoseconds(Int64.max) else {
      nanoseconds = .max
      return
    }
    guard duration > .nanoseconds(Int64.min) else {
      nanoseconds = .min
      return
    }
    let (seconds, attoseconds) = duration.components
    nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  /// Returns this time moved by a span, clamped to the range of times.
  @inlinable
  func advanced(by span: CacheTime) -> CacheTime {
    let (sum, overflows) = nanoseconds.addingReportingOverflow(span.nanoseconds)
    return CacheTime(nanoseconds: overflows ? (span.nanoseconds < 0 ? .min : .max) : sum)
  }

  /// Returns the time from another time to this one.
  @usableFromInline
  func since(_ other: CacheTime) -> Duration {
    .nanoseconds(nanoseconds) - .nanoseconds(other.nanoseconds)
  }

  @inlinable
  static func < (left: CacheTime, right: CacheTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
