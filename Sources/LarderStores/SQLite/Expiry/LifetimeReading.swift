import HarmonySQLite
import LarderModel

/// The unit of a column of lifetimes, and the evidence for it.
///
/// The timestamps that lifetimes count from do not show their unit: programs store milliseconds
/// since 1970 beside lifetimes in seconds. So the name of the column decides, and after it the
/// values, as lifetimes are round numbers of minutes, hours and days in their unit. No single value
/// decides. If they fit several units, the longest unit is chosen and marked as ambiguous.
struct LifetimeReading: Equatable {
  let unit: LifetimeUnit
  /// The evidence, as the rest of a sentence that begins with the column.
  let reason: String
  /// The alternatives, as the rest of such a sentence; nil if the unit is certain.
  let doubt: String?
  /// Whether several units are possible, so that nothing is written until the user names one.
  var isAmbiguous = false
  /// Whether the unit was inferred from values alone, so that other values could show another.
  var isGuessed = false

  /// Infers the unit from the user's settings, the name or the values; nil if none shows it.
  ///
  /// - Parameters:
  ///   - values: The values of some rows.
  ///   - column: The name of the column.
  ///   - since: The name of the column that lifetimes count from.
  ///   - moments: The unit of that column.
  ///   - told: The unit that the user set.
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
    let contenders = Self.contenders(lengths, Self.candidates(moments, values))
    let usual = lengths.first { length in contenders.contains { Self.isFamiliar(length, $0) } }
    let number = Self.example(usual ?? lengths.first)
    if moments == .seconds || moments == .apple {
      let doubt =
        "may be in milliseconds, as \(number) would be usual; taken as seconds, which end later"
      let isOdd = contenders == [.milliseconds]
      self.init(
        .seconds, isOdd ? doubt : "is in seconds, as \(since) is", doubt: isOdd ? doubt : nil)
      return
    }
    guard let unit = contenders.first, !lengths.isEmpty else { return nil }
    guard contenders.count > 1 else {
      self.init(unit, "is in \(unit.spoken), as values such as \(number) are")
      isGuessed = true
      return
    }
    let names = contenders.map(\.spoken).joined(separator: " or ")
    self.init(
      unit, "is taken as \(unit.spoken)",
      doubt: "may be in \(names), as \(number) could be each; taken as \(unit.spoken), which end "
        + "latest")
    isAmbiguous = true
  }

  private init(_ unit: LifetimeUnit, _ reason: String, doubt: String? = nil) {
    self.unit = unit
    self.reason = reason
    self.doubt = doubt
  }

  /// Whether nearly all values are usual lifetimes in one of the units that are finer than another.
  static func isUsual(_ values: [SQLiteValue], finerThan unit: LifetimeUnit) -> Bool {
    let lengths = lengths(values)
    return LifetimeUnit.allCases.contains { finer in
      finer.seconds < unit.seconds && most(lengths) { isUsual($0 * finer.seconds) }
    }
  }

  /// Returns the lifetimes among values, without any that mean never, such as the 32-bit maximum.
  private static func lengths(_ values: [SQLiteValue]) -> [Double] {
    values.filter { !Never.isNever($0) }.compactMap(ExpiryRecogniser.number)
      .filter { $0 != 2_147_483_647 && $0 != 4_294_967_295 }
  }

  /// Returns the units to choose from, the longest first.
  private static func candidates(
    _ moments: ExpiryUnit, _ values: [SQLiteValue]
  ) -> [LifetimeUnit] {
    switch moments {
    case .seconds, .apple, .milliseconds, .iso, .filetime, .ticks: [.seconds, .milliseconds]
    case .microseconds, .webkit: [.seconds, .milliseconds, .microseconds]
    case .nanoseconds: [.seconds, .milliseconds, .microseconds, .nanoseconds]
    case .julian:
      // A program that counts days with fractions may add lifetimes in days to them.
      values.contains { if case .real = $0 { true } else { false } }
        ? [.days, .seconds, .milliseconds] : [.seconds, .milliseconds]
    }
  }

  /// Returns the units in which at least half of the lifetimes are familiar or, if there are none,
  /// last a second or more.
  ///
  /// There is no maximum, as a few large lifetimes mean never in any unit.
  private static func contenders(
    _ lengths: [Double], _ units: [LifetimeUnit]
  ) -> [LifetimeUnit] {
    func fitting(_ isSo: (Double, LifetimeUnit) -> Bool) -> [LifetimeUnit] {
      units.filter { unit in lengths.count { isSo($0, unit) } * 2 >= lengths.count }
    }
    let familiar = fitting(isFamiliar)
    if let first = familiar.first {
      // A single lifetime that is familiar only in a longer unit makes that unit possible, too.
      let longer = units.filter { unit in
        unit.seconds > first.seconds
          && lengths.contains { isFamiliar($0, unit) && !isFamiliar($0, first) }
      }
      return longer + familiar
    }
    let possible = fitting { $0 * $1.seconds >= 1 }
    return possible.isEmpty ? Array(units.prefix(1)) : possible
  }

  /// Whether a lifetime on its own would be taken for one in a finer unit.
  static func isMistakable(_ length: Double, in unit: LifetimeUnit) -> Bool {
    !isFamiliar(length, unit)
      && LifetimeUnit.allCases.contains { $0.seconds < unit.seconds && isFamiliar(length, $0) }
  }

  private static func most(_ lengths: [Double], _ isSo: (Double) -> Bool) -> Bool {
    !lengths.isEmpty && lengths.count(where: isSo) * 10 >= lengths.count * 9
  }

  private static let day = 86_400.0
  private static let year = 365 * day

  /// Whether programs commonly use a number of seconds.
  ///
  /// These are whole half minutes, half hours, half days, weeks, months and years.
  private static func isUsual(_ span: Double) -> Bool {
    let seconds = span.rounded()
    // Conversion from a finer unit is not exact.
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

  /// Whether a number is a usual lifetime in a unit, or a round number.
  private static func isFamiliar(_ length: Double, _ unit: LifetimeUnit) -> Bool {
    let span = length * unit.seconds
    return isUsual(span) || isRound(length, span)
  }

  /// Whether a number is round, whatever its unit: 100, 200, 500, 1000 and so on.
  private static func isRound(_ length: Double, _ span: Double) -> Bool {
    guard isPossible(span), span < year, length >= 100, length == length.rounded() else {
      return false
    }
    var rest = length
    while rest.truncatingRemainder(dividingBy: 10) == 0 { rest /= 10 }
    return rest == 1 || rest == 2 || rest == 5
  }

  /// Whether a cache may store something for a number of seconds: from one second to ten years.
  private static func isPossible(_ span: Double) -> Bool { 1...(10 * year) ~= span }

  private static func example(_ length: Double?) -> String {
    guard let length else { return "" }
    return Int64(exactly: length).map(String.init) ?? String(length)
  }
}

extension LifetimeUnit {
  /// Reads the unit from the name of a column; nil if it contains none or several.
  init?(namedBy column: String) {
    let units = Set(ColumnWords(column).words.compactMap(LifetimeUnit.init(word:)))
    guard units.count == 1, let unit = units.first else { return nil }
    self = unit
  }

  /// Reads the unit from a word of a name.
  init?(word: String) {
    switch word {
    case "ns", "nanos", "nanoseconds": self = .nanoseconds
    case "us", "micros", "microseconds": self = .microseconds
    case "ms", "millis", "millisecond", "milliseconds": self = .milliseconds
    case "s", "sec", "secs", "second", "seconds": self = .seconds
    // Not “min”, which also means minimum.
    case "mins", "minute", "minutes": self = .minutes
    case "hour", "hours": self = .hours
    case "day", "days": self = .days
    default: return nil
    }
  }
}
