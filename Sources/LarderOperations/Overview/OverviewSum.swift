package import Foundation
package import LarderModel

/// The number of some entries, what they take, and when they expire.
package struct OverviewSum: Sendable, Equatable {
  /// The number of entries.
  package private(set) var count = 0
  /// The number of entries whose size is known.
  package private(set) var sizedCount = 0
  /// The number of entries that had expired.
  package private(set) var expired = 0
  /// When the next entry expires; nil where none does.
  package private(set) var next: Date?
  private var size = 0
  private var buckets = SIMD8<Int>()

  /// The last second of each bucket but the last, which has no end.
  private static let bounds: [Double] = [
    60, 600, 3_600, 6 * 3_600, 86_400, 7 * 86_400, 30 * 86_400,
  ]

  /// What holds for no entry.
  package init() {}

  /// How many bytes the values take whose size is known; nil where that is none of them.
  ///
  /// The largest `Int` where there are more: a damaged store may name any size.
  package var bytes: Int? { sizedCount > 0 || count == 0 ? size : nil }

  /// The number of entries that expire some time, or have.
  package var timedCount: Int { expired + buckets.wrappedSum() }

  /// The number of entries that never expire.
  package var never: Int { count - timedCount }

  /// How many entries expire within a minute, ten minutes, an hour, six hours, a day, seven days,
  /// thirty days, and later; each but those before.
  package var histogram: [Int] { buckets.indices.map { buckets[$0] } }

  /// Adds an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - date: The time that decides what has expired.
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

  /// Adds what holds for other entries.
  package mutating func add(_ other: OverviewSum) {
    count += other.count
    sizedCount += other.sizedCount
    size = Self.sum(size, other.size)
    expired += other.expired
    buckets &+= other.buckets
    if let date = other.next, next.map({ date < $0 }) ?? true { next = date }
  }

  /// The number of entries that expire in a span.
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

/// When entries expire, as the histogram of all of them divides it.
package enum OverviewSpan: String, Sendable, CaseIterable {
  /// They have expired.
  case expired
  /// Within a minute.
  case minute
  /// Within an hour, after the next minute.
  case hour
  /// Within a day, after the next hour.
  case day
  /// After the next day.
  case later
  /// Never.
  case never

  /// What a table calls it.
  package var title: String {
    switch self {
    case .expired, .later, .never: rawValue
    case .minute, .hour, .day: "next \(rawValue)"
    }
  }
}
