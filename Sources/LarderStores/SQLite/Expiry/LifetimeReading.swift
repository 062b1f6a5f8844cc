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
  var doubt: String?
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
    let named = ColumnName(column).unit
    if let unit = told ?? named {
      self.unit = unit
      reason = Messages.unit(unit, isNamed: told == nil)
      return
    }
    let lengths = Self.lengths(values)
    let units = Self.contenders(lengths, Self.candidates(moments, values))
    let usual = lengths.first { length in units.contains { Self.isFamiliar(length, $0) } }
    let number = (usual ?? lengths.first).map(Self.text) ?? ""
    if moments == .seconds || moments == .apple {
      unit = .seconds
      reason = Messages.unitOfStart(since)
      if units == [.milliseconds] { doubt = Messages.maybeMilliseconds(number) }
      return
    }
    guard let unit = units.first, !lengths.isEmpty else { return nil }
    self.unit = unit
    isGuessed = units.count == 1
    isAmbiguous = !isGuessed
    reason = isGuessed ? Messages.usualUnit(unit, number) : Messages.assumedUnit(unit)
    if isAmbiguous { doubt = Messages.severalUnits(units, number, takenAs: unit) }
  }

  /// Whether nearly all values are usual lifetimes in a unit that is finer than seconds.
  static func isUsual(_ values: [SQLiteValue]) -> Bool {
    let lengths = lengths(values)
    return !lengths.isEmpty
      && LifetimeUnit.allCases.contains { unit in
        unit.seconds < 1
          && lengths.count { isUsual($0 * unit.seconds) } * 10 >= lengths.count * 9
      }
  }

  /// Returns the lifetimes among values, without any that mean never, such as the 32-bit maximum.
  private static func lengths(_ values: [SQLiteValue]) -> [Double] {
    values.filter { !Never.isNever($0) }.compactMap(ExpiryRecognizer.number)
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
    guard let first = familiar.first else {
      let possible = fitting { $0 * $1.seconds >= 1 }
      return possible.isEmpty ? Array(units.prefix(1)) : possible
    }
    // A single lifetime that is familiar only in a longer unit makes that unit possible, too.
    return units.filter { unit in
      unit.seconds > first.seconds
        && lengths.contains { isFamiliar($0, unit) && !isFamiliar($0, first) }
    } + familiar
  }

  /// Whether a lifetime on its own would be taken for one in a finer unit.
  static func isMistakable(_ length: Double, in unit: LifetimeUnit) -> Bool {
    !isFamiliar(length, unit)
      && LifetimeUnit.allCases.contains { $0.seconds < unit.seconds && isFamiliar(length, $0) }
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
    guard seconds >= 60 else { return [1, 2, 3, 5, 10, 15, 20, 30, 45].contains(seconds) }
    let parts: [Double] =
      switch seconds {
      case ..<3_600: [30]
      case ..<day: [1_800]
      case ..<(30 * day): [day / 2]
      case ..<year: [7 * day, 30 * day]
      default: [year]
      }
    return parts.contains { seconds.truncatingRemainder(dividingBy: $0) == 0 }
  }

  /// Whether a number is a usual lifetime in a unit, or round in any: 100, 200, 500, 1000 and so on.
  private static func isFamiliar(_ length: Double, _ unit: LifetimeUnit) -> Bool {
    let span = length * unit.seconds
    if isUsual(span) { return true }
    guard isPossible(span), span < year, length >= 100 else { return false }
    let digits = text(length)
    return "125".contains(digits.prefix(1)) && digits.dropFirst().allSatisfy { $0 == "0" }
  }

  /// Whether a cache may store something for a number of seconds: from one second to ten years.
  private static func isPossible(_ span: Double) -> Bool { 1...(10 * year) ~= span }

  /// Returns the text of a number, without a fraction if it is whole.
  static func text(_ length: Double) -> String {
    Int64(exactly: length).map(String.init) ?? String(length)
  }
}
