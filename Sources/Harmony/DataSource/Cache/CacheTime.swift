/// A time of a cache's clock, in a form that is quick to compare.
///
/// Whole nanoseconds, up to 292 years; what lies beyond is taken for that.
@usableFromInline
struct CacheTime: Comparable, Sendable {
  @usableFromInline let nanoseconds: Int64

  @inlinable static var zero: CacheTime { CacheTime(nanoseconds: 0) }
  /// A time that does not come.
  @inlinable static var distant: CacheTime { CacheTime(nanoseconds: .max) }
  @inlinable static var second: CacheTime { CacheTime(nanoseconds: 1_000_000_000) }

  @inlinable
  init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The time of a clock, cut to whole nanoseconds.
  @usableFromInline
  init(_ duration: Duration) {
    // Before its seconds are asked for, which may be too many to count.
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

  /// The time later by a span.
  @inlinable
  func advanced(by span: CacheTime) -> CacheTime {
    let (sum, overflows) = nanoseconds.addingReportingOverflow(span.nanoseconds)
    return CacheTime(nanoseconds: overflows ? (span.nanoseconds < 0 ? .min : .max) : sum)
  }

  /// How much later this time is than another.
  @usableFromInline
  func since(_ other: CacheTime) -> Duration {
    .nanoseconds(nanoseconds) - .nanoseconds(other.nanoseconds)
  }

  @inlinable
  static func < (left: CacheTime, right: CacheTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
