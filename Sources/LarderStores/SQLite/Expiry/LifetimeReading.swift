import HarmonySQLite
import LarderModel

/// What a column of lifetimes counts in, and how that is known.
///
/// The moments from which it counts do not tell: programs keep milliseconds since 1970 beside lifetimes
/// of seconds. So its name is asked, and then its values, as lifetimes are round numbers of minutes,
/// hours and days in the unit that they count: whatever a single value is, the others tell. Where they
/// fit several units, it is the longest one, and the unit is ambiguous.
struct LifetimeReading: Equatable {
  let unit: LifetimeUnit
  /// How that is known, as the rest of a sentence that begins with the column.
  let reason: String
  /// What it may be instead, in the same way; nil where it is certain.
  let doubt: String?
  /// Whether several units are possible, so that nothing is changed by it until a user says which.
  var isAmbiguous = false
  /// Whether the values alone tell the unit: others could tell another.
  var isGuessed = false

  /// Judges by what was said, the name and the values; nil where nothing tells.
  ///
  /// - Parameters:
  ///   - values: What some rows hold.
  ///   - column: The name of the column.
  ///   - since: The name of the column from which it counts.
  ///   - moments: What that one counts in.
  ///   - told: The unit that a user said.
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

  /// Whether nearly all values are usual lifetimes in a unit that is finer than another.
  static func isUsual(_ values: [SQLiteValue], finerThan unit: LifetimeUnit) -> Bool {
    let lengths = lengths(values)
    return LifetimeUnit.allCases.contains { finer in
      finer.seconds < unit.seconds && most(lengths) { isUsual($0 * finer.seconds) }
    }
  }

  /// The lengths among values: no number that means never, such as the largest one of 32 bits.
  private static func lengths(_ values: [SQLiteValue]) -> [Double] {
    values.filter { !Never.isNever($0) }.compactMap(ExpiryRecogniser.number)
      .filter { $0 != 2_147_483_647 && $0 != 4_294_967_295 }
  }

  /// The units that are to be told apart, the longest first.
  private static func candidates(
    _ moments: ExpiryUnit, _ values: [SQLiteValue]
  ) -> [LifetimeUnit] {
    switch moments {
    case .seconds, .apple, .milliseconds, .iso, .filetime, .ticks: [.seconds, .milliseconds]
    case .microseconds, .webkit: [.seconds, .milliseconds, .microseconds]
    case .nanoseconds: [.seconds, .milliseconds, .microseconds, .nanoseconds]
    case .julian:
      // Who counts days with fractions may add others to them.
      values.contains { if case .real = $0 { true } else { false } }
        ? [.days, .seconds, .milliseconds] : [.seconds, .milliseconds]
    }
  }

  /// The units in which at least half of some lengths are usual lifetimes; where there is none, those
  /// in which they are whole seconds at least, as a few large lengths mean never in any unit.
  private static func contenders(
    _ lengths: [Double], _ units: [LifetimeUnit]
  ) -> [LifetimeUnit] {
    func fitting(_ isSo: (Double, LifetimeUnit) -> Bool) -> [LifetimeUnit] {
      units.filter { unit in lengths.count { isSo($0, unit) } * 2 >= lengths.count }
    }
    let familiar = fitting(isFamiliar)
    if let first = familiar.first {
      // A single length that is usual in a longer unit alone makes that one possible, too.
      let longer = units.filter { unit in
        unit.seconds > first.seconds
          && lengths.contains { isFamiliar($0, unit) && !isFamiliar($0, first) }
      }
      return longer + familiar
    }
    let possible = fitting { $0 * $1.seconds >= 1 }
    return possible.isEmpty ? Array(units.prefix(1)) : possible
  }

  /// Whether a length alone would be taken for one of a finer unit than its own.
  static func isMistakable(_ length: Double, in unit: LifetimeUnit) -> Bool {
    !isFamiliar(length, unit)
      && LifetimeUnit.allCases.contains { $0.seconds < unit.seconds && isFamiliar(length, $0) }
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
  private static func isFamiliar(_ length: Double, _ unit: LifetimeUnit) -> Bool {
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

  private static func example(_ length: Double?) -> String {
    guard let length else { return "" }
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
