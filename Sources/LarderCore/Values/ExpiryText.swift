package import Foundation

/// Until when an entry is to count, as a person types it.
package enum ExpiryText: Sendable, Equatable {
  case never
  /// From now.
  case after(Duration)
  case at(Date)

  /// Reads `10m`, `2h30m`, `now`, `never` or a date, which is in UTC where it names no zone.
  package init?(_ text: String) {
    let text = text.trimmingCharacters(in: .whitespaces)
    switch text.lowercased() {
    case "never": self = .never
    case "now": self = .after(.zero)
    default:
      if let duration = Duration(shortText: text.lowercased()) {
        self = .after(duration)
      } else if let date = Self.date(text) {
        self = .at(date)
      } else {
        return nil
      }
    }
  }

  /// Reads a date with a time, a time without its seconds, or none.
  package static func date(_ text: String) -> Date? {
    Timestamp.date(from: text) ?? Timestamp.date(from: text + "Z")
      ?? Timestamp.date(from: text + ":00Z") ?? Timestamp.date(from: text + "T00:00:00Z")
  }

  /// The moment, counted from another one; nil for never.
  package func date(from now: Date) -> Date? {
    switch self {
    case .never: nil
    case .after(let duration): now.addingTimeInterval(duration.inSeconds)
    case .at(let date): date
    }
  }

  /// What can be typed, in a few words.
  package static let forms = "10m, 2h30m, 1d, a date such as 2030-01-31 12:00, now or never"
}
