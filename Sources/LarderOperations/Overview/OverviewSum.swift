package import Foundation
package import LarderModel

/// The count, total size and expiries of a set of entries.
package struct OverviewSum: Sendable, Equatable {
  /// The number of entries.
  package private(set) var count = 0
  /// The number of entries whose size is known.
  package private(set) var sizedCount = 0
  /// The number of expired entries.
  package private(set) var expired = 0
  /// The expiry of the entry that expires next; nil if there is none.
  package private(set) var next: Date?
  private var size = 0
  private var buckets = SIMD8<Int>()

  /// The upper bounds of the histogram buckets in seconds, except for the last one, which is
  /// unbounded.
  private static let bounds: [Double] = [
    60, 600, 3_600, 6 * 3_600, 86_400, 7 * 86_400, 30 * 86_400,
  ]

  /// Creates an empty sum.
  package init() {}

  /// The total size in bytes of the values whose size is known; nil if all sizes are unknown.
  ///
  /// The sum is clamped to `Int.max`, since a damaged store can report any size.
  package var bytes: Int? { sizedCount > 0 || count == 0 ? size : nil }

  /// The number of entries with an expiry, including expired ones.
  package var timedCount: Int { expired + buckets.wrappedSum() }

  /// The number of entries that never expire.
  package var never: Int { count - timedCount }

  /// The number of entries that expire within a minute, ten minutes, an hour, six hours, a day,
  /// seven days, thirty days, and later.
  ///
  /// Each entry is counted in one bucket only.
  package var histogram: [Int] { buckets.indices.map { buckets[$0] } }

  /// Adds an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - date: The time at which the entry is considered fresh or expired.
  package mutating func add(_ entry: Entry, at date: Date) {
    count += 1
    if let bytes = entry.size {
      sizedCount += 1
      size = Self.sum(size, max(0, bytes))
    }
    guard let expires = entry.expires else { return }
    let seconds = expires.timeIntervalSince(date)
    if seconds <= 0 {
      expired += 1
      return
    }
    buckets[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    if seconds > 0, next.map({ expires < $0 }) ?? true { next = expires }
  }

  /// Adds another sum.
  package mutating func add(_ other: OverviewSum) {
    count += other.count
    sizedCount += other.sizedCount
    size = Self.sum(size, other.size)
    expired += other.expired
    buckets &+= other.buckets
    if let date = other.next, next.map({ date < $0 }) ?? true { next = date }
  }

  /// Returns the number of entries in a span.
  package func count(of span: OverviewSpan) -> Int {
    switch span {
    case .expired: expired
    case .minute: buckets[0]
    case .hour: buckets[1] + buckets[2]
    case .day: buckets[3] + buckets[4]
    case .later: buckets[5] + buckets[6] + buckets[7]
    case .never: never
    }
  }

  private static func sum(_ one: Int, _ other: Int) -> Int {
    let (sum, isTooLarge) = one.addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

/// The ranges of time to expiry by which entries are grouped.
package enum OverviewSpan: String, Sendable, CaseIterable {
  /// Expired.
  case expired
  /// Within a minute.
  case minute
  /// After a minute and within an hour.
  case hour
  /// After an hour and within a day.
  case day
  /// After a day.
  case later
  /// Never.
  case never
}
