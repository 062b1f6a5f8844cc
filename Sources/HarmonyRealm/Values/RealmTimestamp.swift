public import Foundation

/// A point in time with nanosecond resolution.
public struct RealmTimestamp: Sendable, Hashable, Comparable {
  /// The seconds since 1970 in UTC, without the fraction.
  public let seconds: Int64
  /// The fraction in nanoseconds, with the sign of the seconds.
  public let nanoseconds: Int32

  /// Creates a timestamp from its parts.
  public init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The timestamp as a Foundation date, which is exact to about a tenth of a microsecond.
  public var date: Date {
    // Computed from the reference date in 2001; from 1970 it would be rounded twice.
    let (whole, overflows) = seconds.subtractingReportingOverflow(978_307_200)
    return Date(
      timeIntervalSinceReferenceDate: (overflows ? Double(seconds) : Double(whole)) + Double(
        nanoseconds) / 1_000_000_000)
  }

  /// Whether a timestamp is before another.
  public static func < (left: RealmTimestamp, right: RealmTimestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}
