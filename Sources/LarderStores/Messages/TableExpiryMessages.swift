import Foundation
import LarderModel

// The sentences about the expiries of rows. Each starts in lower case and has no final full stop.

// MARK: Recognition

extension Messages {
  static let chosenColumn = "you chose it"
  static let namedColumn = "its name and its place beside a key and a value suggest it"
  static let roundTimes = "its times of day are round"
  static let longTimes = "most rows are valid for more than a year"
  static let longSpan = "its dates span years"

  static func schema(of program: String) -> String { "the schema of \(program)" }
  static func rule(_ name: String) -> String { "\(name) names it" }
  static func noExpiry(by rule: String) -> String { "\(rule) turns expiry off" }
  static func unknownCache(_ table: String) -> String { "\(table) is not known to be a cache" }

  static func noColumn(_ name: String, namedBy rule: String?) -> String {
    "there is no column \(name)" + (rule.map { ", which \($0) names" } ?? "")
  }

  static func noExpiryColumn(written column: String?) -> String {
    "no column is named like an expiry"
      + (column.map { "; \($0) records when rows were written" } ?? "")
  }

  static func anyDate(_ column: String) -> String {
    "\(column) may be any date, because its table is not just a key, a value and an expiry; "
      + "--expires-column \(column) uses it as the expiry"
  }

  static func noStart(_ column: String) -> String {
    "\(column) is a TTL, but no column records when it starts"
  }

  static func noDurations(_ column: String) -> String { "\(column) holds no durations" }

  static func unknownUnit(_ column: String) -> String {
    "\(column) has no value yet that shows its unit; set it with --expires-unit"
  }

  static func notDurations(_ column: String, _ unit: LifetimeUnit) -> String {
    "\(column) holds timestamps, and \(unit.spoken) can only be the unit of a duration"
  }

  static func notTimes(_ column: String) -> String { "the values of \(column) are not times" }

  static func noTimes(_ column: String, _ unit: ExpiryUnit) -> String {
    "no value of \(column) is a time from 2000 to 2299 in \(unit.spoken)"
  }

  static func earlyTimes(_ column: String) -> String {
    "most values of \(column) are before the rows were written"
  }

  /// Returns the evidence for an expiry column.
  ///
  /// - Parameters:
  ///   - reason: The reason to look at the column.
  ///   - start: The column that its durations count from; nil if it holds timestamps.
  ///   - count: The number of values that are times, and of all values.
  ///   - dates: The first and the last time; nil if there is none.
  /// - Returns: The evidence.
  static func expiryEvidence(
    _ reason: String, start: String?, _ count: (times: Int, all: Int), dates: ClosedRange<Date>?
  ) -> String {
    guard let dates else { return "\(reason), and its unit was given" }
    return
      "\(reason), and \(count.times) of \(count.all) values \(start.map { "of \($0) " } ?? "")are "
      + "times from \(Timestamp.text(of: dates.lowerBound)) to \(Timestamp.text(of: dates.upperBound))"
  }

  /// Returns the meaning of a column with other information about rows.
  static func bookkeeping(_ role: ColumnRole, _ column: String) -> String? {
    let meaning: String? =
      switch role {
      case .created: "time of writing"
      case .accessed: "last use"
      case .useCount: "number of uses"
      case .size: "size"
      case .tag: "tag"
      default: nil
      }
    return meaning.map { "\(column): \($0)" }
  }
}

// MARK: Doubts

extension Messages {
  static func businessDate(_ column: String, _ reason: String) -> String {
    "\(column) may be a business date, not an expiry: \(reason)"
  }

  static func severalUnits(_ column: String, _ units: [ExpiryUnit], readAs unit: ExpiryUnit)
    -> String
  {
    "\(column) may hold \(units.map(\.spoken).joined(separator: " or ")); larder reads it as "
      + unit.spoken
  }

  static func strangers(_ column: String, _ count: Int, of all: Int, _ unit: ExpiryUnit) -> String {
    "\(column): \(count) of \(all) values are not times from 2000 to 2299 in \(unit.spoken), so "
      + "these rows never expire"
  }

  static func noZone(_ column: String, chosen zone: String?) -> String {
    "\(column) has no time zone and is read as "
      + (zone.map { "\($0), because of --expires-zone" } ?? "UTC")
  }

  static func pickledExpiry(_ value: String, beside column: String) -> String {
    "\(value) contains its own pickled expiry, as in requests-cache; a program that reads that one "
      + "does not see changes to \(column)"
  }
}

// MARK: Units of durations

extension Messages {
  static func unit(_ unit: LifetimeUnit, isNamed: Bool) -> String {
    "is in \(unit.spoken), " + (isNamed ? "according to its name" : "as you set")
  }

  static func unitOfStart(_ start: String) -> String { "is in seconds, like \(start)" }

  static func usualUnit(_ unit: LifetimeUnit, _ number: String) -> String {
    "is in \(unit.spoken), judging by values such as \(number)"
  }

  static func assumedUnit(_ unit: LifetimeUnit) -> String { "is read as \(unit.spoken)" }

  static func maybeMilliseconds(_ number: String) -> String {
    "may be in milliseconds, judging by \(number); read as seconds, which expire later"
  }

  static func severalUnits(_ units: [LifetimeUnit], _ number: String, takenAs unit: LifetimeUnit)
    -> String
  {
    "may be in \(units.map(\.spoken).joined(separator: " or ")), as \(number) fits each; read as "
      + "\(unit.spoken), which expire latest"
  }
}

// MARK: Writing

extension StoreError {
  static func noExpiry(of table: String, _ reason: String?) -> Self {
    .notSupported(
      "\(table) has no expiry\(reason.map { ": \($0)" } ?? ""); nothing was written. Name the expiry "
        + "column with --expires-column")
  }

  static func computedExpiry(_ column: String, of table: String) -> Self {
    .notSupported("the database computes \(column) of \(table); nothing was written")
  }

  static func unknownNever(_ column: String) -> Self {
    .notSupported(
      "no row shows how \(column) stores “never”, and it cannot be null; nothing was written. Use a "
        + "date in the far future")
  }

  static func noNeverUnit(_ column: String) -> Self {
    .notSupported(
      "\(column) cannot store “never”: it cannot be null, and its unit cannot store the year 9999; "
        + "nothing was written")
  }

  static func doubtfulUnit(_ doubt: String) -> Self {
    .notSupported("\(doubt); nothing was written. Set the unit with --expires-unit")
  }

  static func outOfRange(_ column: String) -> Self {
    .notSupported("\(column) stores only times from 2000 to 2299; nothing was written")
  }

  static func inexact(_ column: String, _ unit: ExpiryUnit? = nil) -> Self {
    .notSupported(
      "\(column) cannot store that time\(unit.map { " in \($0.spoken)" } ?? ""); nothing was written"
    )
  }

  static func repeatedHour(_ column: String, in zone: String) -> Self {
    .notSupported(
      "\(column) stores no time zone, and that time occurs twice in \(zone), because clocks are set "
        + "back then; nothing was written")
  }

  static func noStart(_ column: String) -> Self {
    .notSupported("the row has no start time for the TTL in \(column); nothing was written")
  }

  static func beforeStart(_ column: String) -> Self {
    .notSupported(
      "\(column) is a TTL that starts when the entry is written, so it cannot expire before that; "
        + "nothing was written")
  }

  static func wholeUnits(_ column: String, _ unit: LifetimeUnit?, next date: Date) -> Self {
    .notSupported(
      "\(column) stores whole \(unit?.spoken ?? "units") since the entry was written; the nearest "
        + "time it can store is \(Timestamp.text(of: date)); nothing was written")
  }

  static func mistakable(_ column: String, _ number: String, _ unit: LifetimeUnit) -> Self {
    .notSupported(
      "\(column) seems to hold \(unit.spoken), but \(number) would look like a finer unit; nothing "
        + "was written. Set the unit with --expires-unit \(unit.rawValue)")
  }

  static func otherUnits(
    _ column: String, of table: String, read: Date?, wanted: Date?
  ) -> Self {
    func time(_ date: Date?) -> String { date.map { "at \(Timestamp.text(of: $0))" } ?? "never" }
    return .notSupported(
      "\(column) of an entry is not in the units of \(table): it would expire \(time(read)) instead of "
        + "\(time(wanted)); nothing was written. Set the unit with --expires-unit")
  }

  static func inexactCopy(_ column: String, of table: String, _ date: Date, as stored: Date) -> Self
  {
    .notSupported(
      "it expires at \(Timestamp.text(of: date)), but \(column) of \(table) can store only "
        + "\(Timestamp.text(of: stored)); nothing was written. First use larder touch --at to set an "
        + "expiry that both can store")
  }
}
