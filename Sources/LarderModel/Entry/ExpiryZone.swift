package import Foundation

/// The zone of times whose text names none.
public struct ExpiryZone: Sendable, Hashable {
  /// What it is called.
  public let name: String
  /// The rules of the zone; nil for those of this machine.
  ///
  /// `TZ` gives those in forms that only the C library reads, such as `:Europe/Berlin` and
  /// `CET-1CEST,M3.5.0,M10.5.0/3`.
  private let zone: TimeZone?

  /// Whether the clock of the zone shows what that of UTC shows at a moment, or skips it.
  package func shows(_ clock: Date) -> Bool { self.clock(at: moment(ofClock: clock)) == clock }

  /// That `TZ` names no zone, which the C library would take for UTC without a word, as a clause; nil
  /// where it names one, or is not set.
  package static func problem(
    ofLocal environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    guard let text = environment["TZ"], !text.isEmpty else { return nil }
    let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
    // Only a name that the C library takes apart itself has an offset behind its letters.
    let rule = /(<[A-Za-z0-9+\-]{3,}>|[A-Za-z]{3,})[+\-]?[0-9]{1,3}([:<A-Za-z,].*)?/
    let file = name.hasPrefix("/") ? name : "/usr/share/zoneinfo/" + name
    if name.isEmpty || name.wholeMatch(of: rule) != nil || TimeZone(identifier: name) != nil
      || access(file, R_OK) == 0
    {
      return nil
    }
    return "TZ=\(text) names no zone that is known here"
  }

  /// What can be typed, in a few words.
  package static let forms = "UTC, local, +02:00 or a name such as Europe/Berlin"

  /// Reads one of the ``forms``; nil where it is none, or not known here.
  public init?(_ text: String) {
    guard text != "local" else {
      guard Self.problem() == nil else { return nil }
      (zone, name) = (nil, "local time")
      return
    }
    let zone =
      switch text {
      case "UTC", "Z": TimeZone(secondsFromGMT: 0)
      default:
        Self.offset(text).flatMap(TimeZone.init(secondsFromGMT:)) ?? TimeZone(identifier: text)
      }
    guard let zone else { return nil }
    (self.zone, name) = (zone, text)
  }

  /// Creates the zone whose clock is so many seconds ahead of that of UTC.
  package init?(ahead seconds: Double) {
    guard let seconds = Int(exactly: seconds), let zone = TimeZone(secondsFromGMT: seconds) else {
      return nil
    }
    (self.zone, name) = (zone, zone.identifier)
  }

  /// The moment at which the clock of the zone shows what that of UTC shows at another one.
  ///
  /// Of a time that the clock shows twice it is the later moment, and of one that it skips the later
  /// of the two that could be meant, so that nothing expires too early.
  package func moment(ofClock clock: Date) -> Date {
    // No clock is a whole day from UTC, so one of these offsets is the one that the clock has then.
    let readings = [-86_400.0, 86_400].map { distance in
      let ahead = ahead(at: clock.addingTimeInterval(distance))
      return (moment: clock.addingTimeInterval(-ahead), ahead: ahead)
    }
    let shown = readings.filter { ahead(at: $0.moment) == $0.ahead }
    return (shown.isEmpty ? readings : shown).map(\.moment).max() ?? clock
  }

  /// The moment at which the clock of UTC shows what that of the zone shows at another one.
  package func clock(at date: Date) -> Date { date.addingTimeInterval(ahead(at: date)) }

  private func ahead(at date: Date) -> Double {
    if let zone { return Double(zone.secondsFromGMT(for: date)) }
    var parts = tm()
    guard var time = time_t(exactly: date.timeIntervalSince1970.rounded(.down)),
      localtime_r(&time, &parts) != nil
    else { return 0 }
    return Double(parts.tm_gmtoff)
  }

  private static func offset(_ text: String) -> Int? {
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard let sign = text.first, sign == "+" || sign == "-", parts.count == 2,
      parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let hours = Int(parts[0]), let minutes = Int(parts[1]), hours <= 14, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (sign == "-" ? -60 : 60)
  }
}
