package import LarderModel
package import Foundation

/// The expiry state of an entry.
package struct ExpiryStatus: Sendable, Equatable {
  /// The expiry; nil if the entry never expires.
  package var expires: Date?
  /// The time of the last write; nil if the store does not record it.
  package var since: Date?

  /// The state of an entry at a given time.
  package enum State: String, Sendable, Equatable, CaseIterable {
    /// The entry is valid for more than another minute.
    case fresh
    /// The entry expires within a minute.
    case soon
    /// The entry has expired but is still stored.
    case expired
    /// The entry never expires.
    case never

    /// Returns the range of expiries that are in this state at the given time.
    package func span(at now: Date) -> ExpiryRange {
      let soon = now.addingTimeInterval(ExpiryStatus.soon)
      return switch self {
      case .fresh: ExpiryRange(after: soon, upTo: .distantFuture)
      case .soon: ExpiryRange(after: now, upTo: soon)
      case .expired: ExpiryRange(upTo: now)
      case .never: .never
      }
    }
  }

  /// The number of seconds before its expiry at which an entry is expiring soon.
  package static let soon = 60.0

  package init(_ entry: Entry) {
    expires = entry.expires
    since = entry.modified
  }

  /// Returns the state of the entry at the given time.
  package func state(at now: Date) -> State {
    guard let left = left(at: now) else { return .never }
    guard left > 0 else { return .expired }
    return left <= Self.soon ? .soon : .fresh
  }

  /// Returns the number of seconds until the expiry, or nil if the entry never expires.
  package func left(at now: Date) -> Double? {
    expires.map { $0.timeIntervalSince(now) }
  }

  /// Whether the entry expired less than a second ago, too recently to show the elapsed time.
  package static func hasJustExpired(_ left: Double) -> Bool { left <= 0 && left > -1 }

  /// Returns the remaining share of the TTL, from 0 to 1, or nil if it is unknown.
  package func share(at now: Date) -> Double? {
    guard let left = left(at: now) else { return nil }
    // An expired entry has nothing left, even if its TTL is unknown.
    guard left > 0 else { return 0 }
    guard let life else { return nil }
    return min(max(left / life, 0), 1)
  }

  /// The TTL in seconds, from the last write to the expiry.
  private var life: Double? {
    guard let expires, let since, expires > since else { return nil }
    return expires.timeIntervalSince(since)
  }
}
