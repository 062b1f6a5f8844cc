extension Duration {
  /// Parses numbers with units in descending order, such as `30s`, `10m`, `2h30m`, `7d`, `500ms` or
  /// `1y`.
  ///
  /// A year has 365 days, and a number without a unit is in seconds. Units can be in capitals, except
  /// for `M`, which could mean minutes or months.
  package init?(shortText text: String) {
    var rest = text[...]
    var seconds = 0.0
    var last = Double.infinity
    repeat {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(digits.count)
      let letters = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(letters.count)
      let units = [
        "": 1.0, "ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800,
        "y": 31_536_000,
      ]
      let name = letters == Self.ambiguousUnit ? Self.ambiguousUnit : letters.lowercased()
      guard let number = Double(digits), number.isFinite, let unit = units[name],
        unit < last, !letters.isEmpty || (rest.isEmpty && last == .infinity)
      else { return nil }
      seconds += number * unit
      last = unit
    } while !rest.isEmpty
    // The limit is beyond any practical duration and well below an overflow.
    guard seconds < 1e11 else { return nil }
    self = .milliseconds(Int64(seconds * 1_000))
  }
}

extension Duration {
  private static let ambiguousUnit = "M"

  /// Returns the end of a message about text that is not a duration because it counts months.
  package static func hint(for text: String) -> String {
    let units = text.split { !$0.isLetter }
    let isOfMonths = units.contains { unit in
      unit == ambiguousUnit || ["mo", "month", "months"].contains(unit.lowercased())
    }
    return isOfMonths ? noMonths : ""
  }

  /// Parses durations that may also have units in words, such as `5 minutes` or `2 hours 30 min`.
  package init?(words text: String) {
    var short = ""
    for word in text.split(separator: " ") {
      short += Self.unitWords[word.lowercased()] ?? String(word)
    }
    self.init(shortText: short)
  }

  private static let unitWords: [String: String] = [
    "second": "s", "seconds": "s", "sec": "s", "secs": "s", "minute": "m", "minutes": "m",
    "min": "m", "mins": "m", "hour": "h", "hours": "h", "hr": "h", "hrs": "h", "day": "d",
    "days": "d", "week": "w", "weeks": "w", "year": "y", "years": "y",
  ]
}

extension Duration {
  /// Clamps a number of seconds to the range from 0 to 1e12, since a stored date can be any number.
  package static func seconds(clamping seconds: Double) -> Duration {
    .seconds(min(max(0, seconds), 1e12))
  }

  /// The duration in its two most significant units, such as "4m 09s"; negative durations are zero.
  package var clockText: String {
    let seconds = max(0, components.seconds)
    let (days, hours) = (seconds / 86_400, seconds / 3_600 % 24)
    let (minutes, rest) = (seconds / 60 % 60, seconds % 60)
    if days > 0 { return "\(days)d \(Self.two(hours))h" }
    if hours > 0 { return "\(hours)h \(Self.two(minutes))m" }
    if minutes > 0 { return "\(minutes)m \(Self.two(rest))s" }
    return "\(rest)s"
  }

  private static func two(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : String(number)
  }
}
