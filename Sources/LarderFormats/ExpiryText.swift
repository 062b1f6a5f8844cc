package import LarderModel
import Harmony
package import Foundation

/// An expiry as entered by the user.
package enum ExpiryText: Sendable, Equatable {
  case never
  /// A TTL that starts now.
  case after(Duration)
  case at(Date)
  /// An extension of the current expiry: it starts now if the entry has expired, and has no effect
  /// if the entry never expires.
  case later(Duration)

  /// Parses `10m`, `2h30m`, `in 5 minutes`, `tomorrow`, `now`, `never` or a date.
  ///
  /// `tomorrow` is 24 hours from now, as in GNU `date`. A plain number is in seconds, or a Unix
  /// timestamp in seconds (10 digits) or milliseconds (13 digits).
  ///
  /// - Parameters:
  ///   - text: The text to parse.
  ///   - zone: The time zone of a date without one; nil for UTC.
  package init?(_ text: String, in zone: ExpiryZone? = nil) {
    let text = text.trimmingCharacters(in: .whitespaces)
    switch text.lowercased() {
    case "never", "forever", "none": self = .never
    case "now": self = .after(.zero)
    case "tomorrow": self = .after(.seconds(86_400))
    default:
      if text.hasPrefix("+"), let duration = Duration(words: String(text.dropFirst())) {
        self = .later(duration)
      } else if let date = Self.timestamp(text) {
        self = .at(date)
      } else if let duration = Self.wait(text) {
        self = .after(duration)
      } else if let date = Self.date(text, in: zone) {
        self = .at(date)
      } else {
        return nil
      }
    }
  }

  /// Parses a Unix timestamp of the years 2001 to 2286, in seconds or milliseconds.
  ///
  /// Numbers this large are not plausible as durations in seconds.
  private static func timestamp(_ text: String) -> Date? {
    guard let number = Int64(text), number > 0 else { return nil }
    switch text.utf8.count {
    case 10: return Date(timeIntervalSince1970: Double(number))
    case 13: return Date(timeIntervalSince1970: Double(number) / 1_000)
    default: return nil
    }
  }

  /// Parses a duration from now, such as `2h`, `in 5 minutes` or `5 minutes from now`.
  private static func wait(_ text: String) -> Duration? {
    var words = text.split(separator: " ")
    if words.first?.lowercased() == "in" {
      words.removeFirst()
    } else if words.suffix(2).map({ $0.lowercased() }) == ["from", "now"] {
      words.removeLast(2)
    }
    return Duration(words: words.joined(separator: " "))
  }

  /// Parses a date with a time, a time without seconds, or no time.
  package static func date(_ text: String, in zone: ExpiryZone? = nil) -> Date? {
    if let date = Timestamp.date(from: text) { return date }
    for rest in ["Z", ":00Z", "T00:00:00Z"] {
      guard let clock = Timestamp.date(from: text + rest) else { continue }
      return zone?.moment(ofClock: clock) ?? clock
    }
    return nil
  }

  /// Returns the expiry relative to the current time and the previous expiry.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - old: The previous expiry; nil if the entry never expires.
  /// - Returns: The new expiry, or nil if the entry never expires.
  package func date(from now: Date, after old: Date? = nil) -> Date? {
    switch self {
    case .later(let duration): old.map { max($0, now).addingTimeInterval(duration.inSeconds) }
    case .never: nil
    case .after(let duration): now.addingTimeInterval(duration.inSeconds)
    case .at(let date): date
    }
  }

  /// Returns an error message for invalid text that lists the accepted forms.
  package static func problem(of text: String) -> String {
    (text.isEmpty ? "" : "cannot read “\(text)”; ") + "type \(forms)" + Duration.hint(for: text)
  }
}
