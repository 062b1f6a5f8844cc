package import Foundation

/// The zone of moments whose text names none.
public struct ExpiryZone: Sendable, Hashable {
  /// What it is called.
  public let name: String
  private let zone: TimeZone

  /// What can be typed, in a few words.
  package static let forms = "UTC, local, +02:00 or a name such as Europe/Berlin"

  /// Reads one of the ``forms``; nil where it is none, or not known here.
  public init?(_ text: String) {
    let zone =
      switch text {
      case "local": TimeZone.current
      case "UTC", "Z": TimeZone(secondsFromGMT: 0)
      default:
        Self.offset(text).flatMap(TimeZone.init(secondsFromGMT:)) ?? TimeZone(identifier: text)
      }
    guard let zone else { return nil }
    self.zone = zone
    name = text == "local" ? zone.identifier : text
  }

  /// Creates the zone whose clock is so many seconds ahead of that of UTC.
  package init?(ahead seconds: Double) {
    guard let seconds = Int(exactly: seconds), let zone = TimeZone(secondsFromGMT: seconds) else {
      return nil
    }
    self.zone = zone
    name = zone.identifier
  }

  /// The moment at which the clock of the zone shows what that of UTC shows at another one.
  ///
  /// Of an hour that the clock shows twice it is the later one.
  package func moment(ofClock clock: Date) -> Date {
    let first = clock.addingTimeInterval(-ahead(at: clock))
    return clock.addingTimeInterval(-ahead(at: first))
  }

  /// The moment at which the clock of UTC shows what that of the zone shows at another one.
  package func clock(at date: Date) -> Date { date.addingTimeInterval(ahead(at: date)) }

  private func ahead(at date: Date) -> Double { Double(zone.secondsFromGMT(for: date)) }

  private static func offset(_ text: String) -> Int? {
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard let sign = text.first, sign == "+" || sign == "-", parts.count == 2,
      parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let hours = Int(parts[0]), let minutes = Int(parts[1]), hours <= 14, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (sign == "-" ? -60 : 60)
  }
}
