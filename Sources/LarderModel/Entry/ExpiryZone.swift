package import Foundation

/// The time zone of timestamps whose text does not name one.
public struct ExpiryZone: Sendable, Hashable {
  /// The name of the zone.
  public let name: String
  /// The rules of the zone; nil for those of this machine.
  ///
  /// `TZ` can define those in forms that only the C library parses, such as `:Europe/Berlin` and
  /// `CET-1CEST,M3.5.0,M10.5.0/3`.
  private let zone: TimeZone?

  /// Whether the zone's clock ever shows the given reading, rather than skipping it.
  ///
  /// Clock readings are expressed as the date at which the clock of UTC shows the same.
  package func shows(_ clock: Date) -> Bool { self.clock(at: moment(ofClock: clock)) == clock }

  /// Returns an error message if `TZ` is not a known zone, as a clause; nil if it is valid or
  /// unset.
  ///
  /// The C library would silently use UTC.
  package static func problem(
    ofLocal environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    guard let text = environment["TZ"], !text.isEmpty else { return nil }
    let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
    // Only a rule that the C library parses itself has an offset after its letters.
    let rule = /(<[A-Za-z0-9+\-]{3,}>|[A-Za-z]{3,})[+\-]?[0-9]{1,3}([:<A-Za-z,].*)?/
    let file = name.hasPrefix("/") ? name : "/usr/share/zoneinfo/" + name
    if name.isEmpty || name.wholeMatch(of: rule) != nil || TimeZone(identifier: name) != nil
      || access(file, R_OK) == 0
    {
      return nil
    }
    return Messages.unknownZone(text)
  }

  /// Parses one of the ``forms``, or returns nil if it is invalid or unknown on this machine.
  public init?(_ text: String) {
    guard text != "local" else {
      guard Self.problem() == nil else { return nil }
      (zone, name) = (nil, Self.localTime)
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

  /// Creates a zone with a fixed offset from UTC in seconds.
  package init?(ahead seconds: Double) {
    guard let seconds = Int(exactly: seconds), let zone = TimeZone(secondsFromGMT: seconds) else {
      return nil
    }
    (self.zone, name) = (zone, zone.identifier)
  }

  /// Returns the date at which the zone's clock shows the given reading.
  ///
  /// Of a reading that is shown twice or skipped, the result is the later of the two possible
  /// dates, so that nothing expires too early.
  package func moment(ofClock clock: Date) -> Date {
    // No zone is a full day from UTC, so one of these two offsets is in effect at that reading.
    let readings = [-86_400.0, 86_400].map { distance in
      let ahead = ahead(at: clock.addingTimeInterval(distance))
      return (moment: clock.addingTimeInterval(-ahead), ahead: ahead)
    }
    let shown = readings.filter { ahead(at: $0.moment) == $0.ahead }
    return (shown.isEmpty ? readings : shown).map(\.moment).max() ?? clock
  }

  /// Returns the reading of the zone's clock at a date.
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
