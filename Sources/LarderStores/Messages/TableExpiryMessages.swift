import Foundation
import LarderModel

// The sentences about the expiries of rows. Each starts in lower case and has no final full stop.

// MARK: Recognition

extension Messages {
  static let chosenColumn = "you chose it"
  static let namedColumn = "the name says so, it is beside a key and a value"
  static let roundTimes = "its times of day are round"
  static let longTimes = "most rows last more than a year"
  static let longSpan = "its dates span years"

  static func schema(of program: String) -> String { "the schema of \(program)" }
  static func rule(_ name: String) -> String { "\(name) says so" }
  static func noExpiry(by rule: String) -> String { "\(rule) says that nothing there expires" }
  static func unknownCache(_ table: String) -> String { "\(table) is not known to be a cache" }

  static func noColumn(_ name: String, namedBy rule: String?) -> String {
    "there is no column \(name)" + (rule.map { ", which \($0) names" } ?? "")
  }

  static func noExpiryColumn(written column: String?) -> String {
    "no column is named like an expiry"
      + (column.map { "; \($0) says when rows were written" } ?? "")
  }

  static func anyDate(_ column: String) -> String {
    "\(column) may be any date, as it is not beside a key and a value alone; --expires-column \(column) "
      + "uses it as the expiry"
  }

  static func noStart(_ column: String) -> String {
    "\(column) is a TTL, but no column records when it starts"
  }

  static func noDurations(_ column: String) -> String { "\(column) holds no durations" }

  static func unknownUnit(_ column: String) -> String {
    "\(column) has no value yet that shows its unit; set it with --expires-unit"
  }

  static func notDurations(_ column: String, _ unit: LifetimeUnit) -> String {
    "\(column) holds timestamps, and \(unit.spoken) is a unit of durations only"
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
    "\(column) may hold \(units.map(\.spoken).joined(separator: " or ")), and is read as \(unit.spoken)"
  }

  static func strangers(_ column: String, _ count: Int, of all: Int, _ unit: ExpiryUnit) -> String {
    "\(column): \(count) of \(all) values never expire, as they are not times from 2000 to 2299 in "
      + unit.spoken
  }

  static func noZone(_ column: String, chosen zone: String?) -> String {
    "\(column) names no zone and is taken "
      + (zone.map { "in \($0), as set by --expires-zone" } ?? "as UTC")
  }

  static func pickledExpiry(_ value: String, beside column: String) -> String {
    "\(value) contains a pickled expiry of its own, as requests-cache writes it; a program that reads "
      + "that one does not see changes of \(column)"
  }
}

// MARK: Units of durations

extension Messages {
  static func unit(_ unit: LifetimeUnit, isNamed: Bool) -> String {
    "is in \(unit.spoken), as " + (isNamed ? "its name says" : "you set")
  }

  static func unitOfStart(_ start: String) -> String { "is in seconds, as \(start) is" }

  static func usualUnit(_ unit: LifetimeUnit, _ number: String) -> String {
    "is in \(unit.spoken), as values such as \(number) are usual"
  }

  static func assumedUnit(_ unit: LifetimeUnit) -> String { "is taken as \(unit.spoken)" }

  static func maybeMilliseconds(_ number: String) -> String {
    "may be in milliseconds, where \(number) would be usual; taken as seconds, which expire later"
  }

  static func severalUnits(_ units: [LifetimeUnit], _ number: String, takenAs unit: LifetimeUnit)
    -> String
  {
    "may be in \(units.map(\.spoken).joined(separator: " or ")), as \(number) fits each; taken as "
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
      "no row shows how \(column) marks an entry that never expires, and it cannot be null; nothing was "
        + "written. Use a date in the far future")
  }

  static func noNeverUnit(_ column: String) -> Self {
    .notSupported(
      "\(column) cannot mark an entry as never expiring: it cannot be null, and its unit cannot store "
        + "the year 9999; nothing was written")
  }

  static func doubtfulUnit(_ doubt: String) -> Self {
    .notSupported("\(doubt); nothing was written. Name the unit with --expires-unit")
  }

  static func outOfRange(_ column: String) -> Self {
    .notSupported("\(column) stores times from 2000 to 2299; nothing was written")
  }

  static func inexact(_ column: String, _ unit: ExpiryUnit? = nil) -> Self {
    .notSupported(
      "\(column) cannot store that time\(unit.map { " in \($0.spoken)" } ?? ""); nothing was written"
    )
  }

  static func repeatedHour(_ column: String, in zone: String) -> Self {
    .notSupported(
      "\(column) stores no time zone, and that time occurs twice in \(zone), when clocks are set "
        + "back; nothing was written")
  }

  static func noStart(_ column: String) -> Self {
    .notSupported("the row has no start time for the TTL in \(column); nothing was written")
  }

  static func beforeStart(_ column: String) -> Self {
    .notSupported(
      "\(column) is a TTL from when the entry was written, so it cannot expire before that; nothing was "
        + "written")
  }

  static func wholeUnits(_ column: String, _ unit: LifetimeUnit?, next date: Date) -> Self {
    .notSupported(
      "\(column) stores whole \(unit?.spoken ?? "units") from when the entry was written; the nearest "
        + "time that it can store is \(Timestamp.text(of: date)); nothing was written")
  }

  static func mistakable(_ column: String, _ number: String, _ unit: LifetimeUnit) -> Self {
    .notSupported(
      "\(column) seems to hold \(unit.spoken), but \(number) would look like a finer unit; nothing was "
        + "written. Name the unit with --expires-unit \(unit.rawValue)")
  }

  static func otherUnits(
    _ column: String, of table: String, read: Date?, wanted: Date?
  ) -> Self {
    func time(_ date: Date?) -> String { date.map { "at \(Timestamp.text(of: $0))" } ?? "never" }
    return .notSupported(
      "\(column) of an entry is not in the units of \(table): it would expire \(time(read)) instead of "
        + "\(time(wanted)); nothing was written. Name the unit with --expires-unit")
  }

  static func inexactCopy(_ column: String, of table: String, _ date: Date, as stored: Date) -> Self
  {
    .notSupported(
      "it expires at \(Timestamp.text(of: date)), but \(column) of \(table) can store only "
        + "\(Timestamp.text(of: stored)); nothing was written. First set an expiry that both can store "
        + "with larder touch --at")
  }
}
