import Foundation
import HarmonySQLite
import LarderModel

/// The column that holds the expiry of a table's rows, and the way it does so.
struct TableExpiry: Sendable, Equatable {
  /// The column of expiry times or of lifetimes.
  let column: String
  /// The column of times that lifetimes count from; nil if `column` holds expiry times.
  let since: String?
  /// The form of the timestamps, which are in `since` if there is one.
  let form: TimestampForm
  /// The unit of the lifetimes; nil if `column` holds expiry times.
  var lifetime: LifetimeUnit?
  /// Whether that unit was inferred from the values alone, and not from a name or a setting.
  var guessesLifetime = false
  var never: Never
  let confidence: CollectionExpiry.Confidence
  let evidence: String
  /// Assumptions that may be wrong, each as a clause.
  var doubts: [String] = []
  /// Whether the timestamps may be dates of the rows' subject and not expiries.
  var isDubious = false
  /// A clause that names several possible units; nil if the unit is known.
  var unitDoubt: String?
  /// A clause about the assumed time zone; nil if the texts name theirs or the user set one.
  var zoneDoubt: String?
  let bookkeeping: [String]
  /// The columns that record the age and use of rows.
  var uses = Uses()

  /// A column of timestamps.
  struct Moments: Sendable, Equatable {
    let column: String
    let form: TimestampForm
  }

  /// Columns that record the age and use of rows, each nil if the table has none.
  struct Uses: Sendable, Equatable {
    /// The column of the time of writing.
    var made: Moments?
    /// The column of the time of the last use.
    var used: Moments?
    /// The column that counts uses.
    var hits: String?
  }

  /// A description for users.
  var summary: CollectionExpiry {
    let unit = lifetime?.rawValue ?? form.unit.rawValue
    let remedies = [
      isDubious ? "--expires-column \(column)" : nil,
      unitDoubt == nil ? nil : "--expires-unit \(unit)",
    ]
    .compactMap(\.self)
    return CollectionExpiry(
      column: column, since: since, unit: form.unit, lifetime: lifetime, confidence: confidence,
      evidence: evidence, doubts: doubts,
      remedy: remedies.isEmpty ? nil : remedies.joined(separator: " "), zoneDoubt: zoneDoubt,
      bookkeeping: bookkeeping)
  }

  /// Returns when a row expires; nil if it never expires or the value cannot be read.
  ///
  /// - Parameters:
  ///   - value: The row's value in `column`.
  ///   - beginning: The row's value in `since`.
  /// - Returns: The expiry.
  func date(_ value: SQLiteValue, since beginning: @autoclosure () -> SQLiteValue) -> Date? {
    guard since != nil else { return form.date(value) }
    guard let length = ExpiryRecognizer.number(value), length > 0, length.isFinite,
      let start = form.date(beginning())
    else { return nil }
    let date = start.addingTimeInterval(length * secondsPerUnit)
    return TimestampForm.range.contains(date) ? date : nil
  }

  /// Returns the value that makes a row expire at a date.
  ///
  /// - Parameters:
  ///   - date: The expiry; nil for never.
  ///   - old: The row's value in `column`, whose form the new value gets.
  ///   - beginning: The row's value in `since`.
  /// - Returns: The value for `column`.
  /// - Throws: ``StoreError`` if the column cannot express that expiry.
  func value(
    _ date: Date?, like old: SQLiteValue, since beginning: @autoclosure () -> SQLiteValue
  ) throws(StoreError) -> SQLiteValue {
    guard let date else {
      guard case .value(let value) = never else {
        throw .unknownNever(column)
      }
      return value
    }
    if let unitDoubt { throw .doubtfulUnit(unitDoubt) }
    guard TimestampForm.range.contains(date) else { throw .outOfRange(column) }
    return since == nil
      ? try moment(date, like: old) : try length(until: date, like: old, since: beginning())
  }

  /// Returns a date as the column stores it.
  ///
  /// The date is rounded down to the precision of the form, unless that would cut a second or more
  /// off the remaining time: then it is rounded up. A date without a time of day becomes the next
  /// one.
  private func moment(_ date: Date, like old: SQLiteValue) throws(StoreError) -> SQLiteValue {
    var value = form.value(date, like: old)
    let isDateAlone = value.map(form.isDateAlone) == true
    if let early = value.flatMap(form.date), date.timeIntervalSince(early) >= 1, date > Date() {
      // Days last 23 to 25 hours, so this is always on the next one.
      value = form.value(
        isDateAlone ? early.addingTimeInterval(26 * 3_600) : date.addingTimeInterval(60), like: old)
    }
    // Refuse a value that would be read back as a different time.
    guard let value, let written = form.date(value),
      ExpiryRecognizer.unit(of: value) == form.unit
    else { throw .inexact(column, form.unit) }
    if let zone = form.zone, !isDateAlone, abs(written.timeIntervalSince(date)) >= 900 {
      throw .repeatedHour(column, in: zone.name)
    }
    return value
  }

  /// Returns the lifetime of a row that expires at a date, rounded as timestamps are.
  private func length(
    until date: Date, like old: SQLiteValue, since beginning: SQLiteValue
  ) throws(StoreError) -> SQLiteValue {
    guard let start = form.date(beginning) else { throw .noStart(column) }
    let seconds = date.timeIntervalSince(start) + TimestampForm.exactness
    let length = seconds / secondsPerUnit
    guard seconds > -1 else { throw .beforeStart(column) }
    if case .real = old {
      let length = max(length, 0.001 / secondsPerUnit)
      try checkReading(of: length)
      return .real(length)
    }
    var whole = length.rounded(.down)
    if (length - whole) * secondsPerUnit >= 1, date > Date() { whole += 1 }
    guard whole >= 1 || secondsPerUnit <= 1, (whole - length) * secondsPerUnit <= 60 else {
      let next = start.addingTimeInterval(max(whole, 1) * secondsPerUnit)
      throw .wholeUnits(column, lifetime, next: next)
    }
    // In the finest unit, 64 bits hold 292 years.
    guard let number = Int64(exactly: whole) else { throw .inexact(column) }
    try checkReading(of: whole)
    // Zero means that the row never expires.
    return .integer(max(number, 1))
  }

  /// Refuses a lifetime that would be read back in a finer unit, if the unit was only inferred.
  private func checkReading(of length: Double) throws(StoreError) {
    guard guessesLifetime, let lifetime, LifetimeReading.isMistakable(length, in: lifetime) else {
      return
    }
    let number = Int64(exactly: length).map(String.init) ?? String(length)
    throw .mistakable(column, number, lifetime)
  }

  /// Converts a value that means never in the unit of another store.
  ///
  /// Programs write the last day of the year 9999 for never; read in the unit of this table, it may
  /// be a time in the past.
  ///
  /// - Parameter value: The value from the other store.
  /// - Returns: The value for never; nil if `value` is not that day, or is that day here, too.
  /// - Throws: ``StoreError`` if the column cannot express that a row never expires.
  func never(insteadOf value: SQLiteValue) throws(StoreError) -> SQLiteValue? {
    guard since == nil, !form.isLastDay(value), form.date(value) == nil,
      ExpiryUnit.allCases.contains(where: { unit in
        TimestampForm(unit: unit, storage: .integer).isLastDay(value)
      })
    else { return nil }
    if case .value(let never) = never { return never }
    return try form.lastMoment(of: column)
  }

  /// The number of seconds in one unit of a lifetime.
  private var secondsPerUnit: Double { lifetime?.seconds ?? 1 }
}
