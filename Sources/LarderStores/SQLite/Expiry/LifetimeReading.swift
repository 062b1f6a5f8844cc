import HarmonySQLite
import LarderCore

/// What a column of lifetimes counts in, and how that is known.
///
/// The moments from which it counts do not tell: programs keep milliseconds since 1970 beside lifetimes
/// of seconds. So its name is asked, and then its values, as lifetimes are round numbers of minutes,
/// hours and days. Where two units fit, it is the longer one, so that nothing ends too early.
struct LifetimeReading: Equatable {
  let unit: LifetimeUnit
  /// How that is known, as the rest of a sentence that begins with the column.
  let reason: String
  /// What it may be instead, in the same way; nil where it is certain.
  let doubt: String?

  /// Judges by what was said, the name and the values; nil where nothing tells.
  ///
  /// - Parameters:
  ///   - values: What some rows hold.
  ///   - column: The name of the column.
  ///   - since: The name of the column from which it counts.
  ///   - moments: What that one counts in.
  ///   - told: The unit that a person said.
  init?(
    _ values: [SQLiteValue], in column: String, since: String, _ moments: ExpiryUnit,
    told: LifetimeUnit?
  ) {
    if let told {
      self.init(told, "is in \(told.spoken), as was said")
      return
    }
    if let named = LifetimeUnit(namedBy: column) {
      self.init(named, "is in \(named.spoken), as its name says")
      return
    }
    let lengths = Self.lengths(values)
    let number = Self.example(lengths)
    let contenders = Self.contenders(lengths, Self.candidates(moments, values))
    if moments == .seconds || moments == .apple {
      let isOdd = contenders == [.milliseconds]
      self.init(
        .seconds, "is in seconds, as \(since) is",
        doubt: isOdd
          ? "may be in milliseconds, as \(number) would be usual; taken as seconds, which end later"
          : nil)
      return
    }
    guard let unit = contenders.first, !lengths.isEmpty else { return nil }
    guard contenders.count > 1 else {
      self.init(
        unit, "is in \(unit.spoken), as values such as \(number) are",
        doubt: Self.most(lengths) { Self.isFamiliar($0, in: unit) }
          ? nil
          : "may be in another unit than \(unit.spoken), in which \(number) is nothing usual; "
            + "--expires-unit says which")
      return
    }
    let names = contenders.map(\.spoken).joined(separator: " or ")
    let doubt =
      "may be in \(names), as \(number) could be each; taken as \(unit.spoken), which end latest"
    self.init(unit, doubt, doubt: doubt + "; --expires-unit says which")
  }

  private init(_ unit: LifetimeUnit, _ reason: String, doubt: String? = nil) {
    self.unit = unit
    self.reason = doubt ?? reason
    self.doubt = doubt
  }

  /// Whether nearly all values are usual lifetimes in a unit that is finer than another.
  static func isUsual(_ values: [SQLiteValue], finerThan unit: LifetimeUnit) -> Bool {
    let lengths = lengths(values)
    return LifetimeUnit.allCases.contains { finer in
      finer.seconds < unit.seconds && most(lengths) { isUsual($0 * finer.seconds) }
    }
  }

  private static func lengths(_ values: [SQLiteValue]) -> [Double] {
    values.filter { !Never.isNever($0) }.compactMap(ExpiryRecogniser.number)
  }

  /// The units that are to be told apart, the longest first.
  private static func candidates(
    _ moments: ExpiryUnit, _ values: [SQLiteValue]
  ) -> [LifetimeUnit] {
    switch moments {
    case .seconds, .apple, .milliseconds, .iso: [.seconds, .milliseconds]
    case .microseconds: [.seconds, .milliseconds, .microseconds]
    case .nanoseconds: [.seconds, .milliseconds, .microseconds, .nanoseconds]
    case .julian:
      // Who counts days with fractions may add others to them.
      values.contains { if case .real = $0 { true } else { false } }
        ? [.days, .seconds, .milliseconds] : [.seconds, .milliseconds]
    }
  }

  /// Those of some units in which lengths may be lifetimes; all where none is more likely than others.
  private static func contenders(
    _ lengths: [Double], _ units: [LifetimeUnit]
  ) -> [LifetimeUnit] {
    let hasUsual = units.contains { unit in most(lengths) { isUsual($0 * unit.seconds) } }
    let likely = units.filter { unit in
      most(lengths) { length in
        hasUsual ? isFamiliar(length, in: unit) : isPossible(length * unit.seconds)
      }
    }
    return likely.isEmpty ? units : likely
  }

  private static func most(_ lengths: [Double], _ isSo: (Double) -> Bool) -> Bool {
    !lengths.isEmpty && lengths.count(where: isSo) * 10 >= lengths.count * 9
  }

  private static let day = 86_400.0
  private static let year = 365 * day

  /// Whether programs give so many seconds: whole minutes, half hours, half days, weeks, months.
  private static func isUsual(_ span: Double) -> Bool {
    let seconds = span.rounded()
    // What is computed from a finer unit is not as exact.
    guard (seconds - span).magnitude < 1e-6, isPossible(seconds) else { return false }
    func isMultiple(_ part: Double) -> Bool {
      seconds.truncatingRemainder(dividingBy: part) == 0
    }
    return switch seconds {
    case ..<60: [1, 2, 3, 5, 10, 15, 20, 30, 45].contains(seconds)
    case ..<3_600: isMultiple(30)
    case ..<day: isMultiple(1_800)
    case ..<(30 * day): isMultiple(day / 2)
    case ..<year: isMultiple(7 * day) || isMultiple(30 * day)
    default: isMultiple(year)
    }
  }

  /// Whether a length is one that programs give, or that people like, in a unit.
  private static func isFamiliar(_ length: Double, in unit: LifetimeUnit) -> Bool {
    let span = length * unit.seconds
    return isUsual(span) || isRound(length, span)
  }

  /// Whether a number is one that people like whatever it counts: 100, 200, 500, 1000 and so on.
  private static func isRound(_ length: Double, _ span: Double) -> Bool {
    guard isPossible(span), span < year, length >= 100, length == length.rounded() else {
      return false
    }
    var rest = length
    while rest.truncatingRemainder(dividingBy: 10) == 0 { rest /= 10 }
    return rest == 1 || rest == 2 || rest == 5
  }

  /// Whether a cache may keep something so many seconds: from one to ten years.
  private static func isPossible(_ span: Double) -> Bool { 1...(10 * year) ~= span }

  private static func example(_ lengths: [Double]) -> String {
    guard let length = lengths.first else { return "" }
    return Int64(exactly: length).map(String.init) ?? String(length)
  }
}

extension LifetimeUnit {
  /// The unit that the name of a column says plainly; nil for none, or for several.
  init?(namedBy column: String) {
    let units = Set(ColumnWords(column).words.compactMap(LifetimeUnit.init(word:)))
    guard units.count == 1, let unit = units.first else { return nil }
    self = unit
  }

  /// The unit that a word of a name says.
  init?(word: String) {
    switch word {
    case "ns", "nanos", "nanoseconds": self = .nanoseconds
    case "us", "micros", "microseconds": self = .microseconds
    case "ms", "millis", "millisecond", "milliseconds": self = .milliseconds
    case "s", "sec", "secs", "second", "seconds": self = .seconds
    // Not “min”, which also says that it is the least.
    case "mins", "minute", "minutes": self = .minutes
    case "hour", "hours": self = .hours
    case "day", "days": self = .days
    default: return nil
    }
  }
}
