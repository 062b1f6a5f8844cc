public import Foundation

/// A moment, to the nanosecond.
public struct RealmTimestamp: Sendable, Hashable, Comparable {
  /// Whole seconds since the beginning of 1970 in UTC.
  public let seconds: Int64
  /// The rest in nanoseconds, with the sign of the seconds.
  public let nanoseconds: Int32

  /// Creates a moment from its parts.
  public init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The moment as Foundation has it, which is exact to about a tenth of a microsecond.
  public var date: Date {
    // From 2001, where dates count from: from 1970 they would be rounded twice.
    let (whole, overflows) = seconds.subtractingReportingOverflow(978_307_200)
    return Date(
      timeIntervalSinceReferenceDate: (overflows ? Double(seconds) : Double(whole)) + Double(
        nanoseconds) / 1_000_000_000)
  }

  /// Whether a moment is before another.
  public static func < (left: RealmTimestamp, right: RealmTimestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}
