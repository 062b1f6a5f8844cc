package import LarderModel
package import Foundation

/// How far an entry is through its life.
package struct EntryTime: Sendable, Equatable {
  /// Until when it counts; nil for ever.
  package var expires: Date?
  /// Since when; nil where the store does not know.
  package var since: Date?

  /// What an entry is at a moment.
  package enum State: String, Sendable, Equatable, CaseIterable {
    /// More than a minute is left.
    case fresh
    /// The last minute.
    case soon
    /// Still there, and past its time.
    case expired
    /// It has no end.
    case never

    /// When the entries expire that are in this state at a moment.
    package func span(at now: Date) -> ExpirySpan {
      let soon = now.addingTimeInterval(EntryTime.soon)
      return switch self {
      case .fresh: ExpirySpan(after: soon, upTo: .distantFuture)
      case .soon: ExpirySpan(after: now, upTo: soon)
      case .expired: ExpirySpan(upTo: now)
      case .never: .never
      }
    }
  }

  /// How many seconds before its end an entry expires soon.
  package static let soon = 60.0

  package init(_ entry: Entry) {
    expires = entry.expires
    since = entry.modified
  }

  /// What the entry is at a moment.
  package func state(at now: Date) -> State {
    guard let left = left(at: now) else { return .never }
    guard left > 0 else { return .expired }
    return left <= Self.soon ? .soon : .fresh
  }

  /// The seconds that are left; nil where there is no end.
  package func left(at now: Date) -> Double? {
    expires.map { $0.timeIntervalSince(now) }
  }

  /// Whether an end is so short ago that nobody would count the time since then in seconds.
  package static func isJustOver(_ left: Double) -> Bool { left <= 0 && left > -1 }

  /// The share of its life that is left, from 0 to 1; nil where that is not known.
  package func share(at now: Date) -> Double? {
    guard let left = left(at: now) else { return nil }
    // What is over has nothing left, however it came to be there.
    guard left > 0 else { return 0 }
    guard let life else { return nil }
    return min(max(left / life, 0), 1)
  }

  /// The seconds from its beginning to its end.
  private var life: Double? {
    guard let expires, let since, expires > since else { return nil }
    return expires.timeIntervalSince(since)
  }
}
