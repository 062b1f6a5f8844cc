package import Foundation

/// Until when an entry is to count, as a person types it.
package enum ExpiryText: Sendable, Equatable {
  case never
  /// From now.
  case after(Duration)
  case at(Date)
  /// So much later than it is: of what is past, from now; what never expires does not.
  case later(Duration)

  /// Reads `10m`, `2h30m`, `now`, `never` or a date, which is in UTC where it names no zone.
  package init?(_ text: String) {
    let text = text.trimmingCharacters(in: .whitespaces)
    switch text.lowercased() {
    case "never": self = .never
    case "now": self = .after(.zero)
    default:
      if text.hasPrefix("+"), let duration = Duration(shortText: text.dropFirst().lowercased()) {
        self = .later(duration)
      } else if let duration = Duration(shortText: text.lowercased()) {
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
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - old: Until when it counts so far; nil for ever.
  /// - Returns: The moment; nil for never.
  package func date(from now: Date, after old: Date? = nil) -> Date? {
    switch self {
    case .later(let duration): old.map { max($0, now).addingTimeInterval(duration.inSeconds) }
    case .never: nil
    case .after(let duration): now.addingTimeInterval(duration.inSeconds)
    case .at(let date): date
    }
  }

  /// What can be typed, in a few words.
  package static let forms =
    "10m, 2h30m, 1d, +10m (later), a date such as 2030-01-31 12:00, now or never"
}
