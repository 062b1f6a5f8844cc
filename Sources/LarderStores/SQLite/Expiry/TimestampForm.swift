import Foundation
import HarmonySQLite
import LarderModel

/// The form in which a column stores timestamps.
struct TimestampForm: Sendable, Equatable {
  /// The type of a stored timestamp.
  enum Storage: Sendable, Equatable {
    case integer
    case real
    case text
  }

  let unit: ExpiryUnit
  /// The type of new values that do not replace a timestamp.
  var storage: Storage
  /// The form of new texts that do not replace a timestamp.
  var text = TextTimestamp.Form()
  /// The time zone of texts that name none; nil for UTC.
  var zone: ExpiryZone?

  /// The Julian day at the start of 1970.
  private static let julianEpoch = 2_440_587.5
  /// The rounding error of dates in seconds, which must not cost a whole unit.
  static let exactness = 0.000_000_2
  /// The tolerance in seconds when comparing times, as Julian days are not exact to less.
  static let millisecond = 0.000_5
  /// The timestamps that columns hold: from 2000 to 2299.
  ///
  /// The ranges of numbers do not overlap between units, except that seconds since 1970 from 2000
  /// to 2008 are also seconds since 2001 from 2031 to 2039. A value outside this range is not a
  /// timestamp and never expires: it is a number in another unit, or a date that programs write for
  /// never or nothing, such as 0001-01-01.
  static let range =
    Date(timeIntervalSince1970: 946_684_800)..<Date(timeIntervalSince1970: 10_413_792_000)
  /// The earliest time in seconds since 2001: smaller numbers count something else.
  private static let appleStart = Date(timeIntervalSince1970: 1_072_915_200)
  /// The last day with a four-digit year, 9999-12-31, which programs write for never.
  private static let furthest = Date(timeIntervalSince1970: 253_402_214_400)

  /// Returns the number of units in a second, for units that are numbers.
  static func scale(_ unit: ExpiryUnit) -> Int64 {
    switch unit {
    case .milliseconds: 1_000
    case .microseconds, .webkit: 1_000_000
    case .filetime, .ticks: 10_000_000
    case .nanoseconds: 1_000_000_000
    case .seconds, .apple, .iso, .julian: 1
    }
  }

  /// Returns the seconds from a unit's epoch to 2001, the reference date of `Date`.
  private static func epoch(_ unit: ExpiryUnit) -> Int64 {
    switch unit {
    case .apple: 0
    case .webkit, .filetime: 12_622_780_800
    case .ticks: 63_113_904_000
    case .seconds, .milliseconds, .microseconds, .nanoseconds, .iso, .julian: 978_307_200
    }
  }

  /// Returns the time that a value represents; nil if it is not a timestamp or outside `range`.
  func date(_ value: SQLiteValue) -> Date? {
    guard let date = anyDate(value), Self.range.contains(date),
      unit != .apple || date >= Self.appleStart, unit == .iso || !Never.isNever(value)
    else { return nil }
    return date
  }

  /// Whether a value means never: it is later than `range` and no timestamp in another unit.
  func isNever(_ value: SQLiteValue) -> Bool {
    guard let date = anyDate(value), date >= Self.range.upperBound else { return false }
    return unit == .iso || ExpiryRecognizer.unit(of: value) == nil
  }

  /// Whether a value is on the last day with a four-digit year, or at the midnight after it.
  func isLastDay(_ value: SQLiteValue) -> Bool {
    guard let date = anyDate(value) else { return false }
    return date >= Self.furthest && date <= Self.furthest.addingTimeInterval(86_400)
  }

  /// Returns the last second with a four-digit year.
  ///
  /// - Throws: ``StoreError`` if the unit is too fine to hold it.
  func lastMoment(of column: String) throws(StoreError) -> SQLiteValue {
    let end = Self.furthest.addingTimeInterval(86_399)
    guard let value = value(end, like: .null), isLastDay(value) else {
      throw .noNeverUnit(column)
    }
    return value
  }

  /// Whether a value is a date without a time of day.
  func isDateAlone(_ value: SQLiteValue) -> Bool {
    unit == .iso && Self.text(of: value)?.form.hasTime == false
  }

  /// Returns the timestamp in a text; nil for other values.
  static func text(of value: SQLiteValue) -> TextTimestamp? {
    if case .text(let text) = value { TextTimestamp(text) } else { nil }
  }

  private func anyDate(_ value: SQLiteValue) -> Date? {
    switch value {
    case .integer(let number): return date(number)
    case .real(let number): return date(number)
    case .text(let text):
      if unit == .iso { return TextTimestamp(text).map(date) }
      guard text.utf8.count <= 32 else { return nil }
      return Int64(text).map(date) ?? Double(text).map(date) ?? nil
    case .null, .malformedText, .blob: return nil
    }
  }

  private func date(_ moment: TextTimestamp) -> Date {
    guard let zone, moment.form.zone.isEmpty else { return moment.date }
    return zone.moment(ofClock: moment.date)
  }

  private func date(_ number: Int64) -> Date? {
    guard number > 0, unit != .iso else { return nil }
    if unit == .julian { return date(Double(number)) }
    let scale = Self.scale(unit)
    return Date(
      timeIntervalSinceReferenceDate: Double(number / scale - Self.epoch(unit))
        + Double(number % scale) / Double(scale))
  }

  private func date(_ number: Double) -> Date? {
    guard number > 0, number.isFinite, unit != .iso else { return nil }
    let epoch = Self.epoch(unit)
    // Julian days are rounded to milliseconds, as SQLite does.
    return unit == .julian
      ? Timestamp.date((number - Self.julianEpoch) * 86_400, since: epoch, steps: 1_000)
      : Timestamp.date(number / Double(Self.scale(unit)), since: epoch)
  }

  /// Returns the number for a time; for ISO 8601 text the Julian day, as SQLite computes it.
  func number(_ date: Date) -> Double {
    unit == .iso || unit == .julian
      ? date.timeIntervalSince1970 / 86_400 + Self.julianEpoch
      : (date.timeIntervalSinceReferenceDate + Double(Self.epoch(unit)))
        * Double(Self.scale(unit))
  }

  /// Returns the value for a time, stored like the one that it replaces; nil if it exceeds 64 bits.
  ///
  /// The time is rounded down to the unit, so that an entry set to expire now has expired.
  func value(_ date: Date, like old: SQLiteValue) -> SQLiteValue? {
    if unit == .iso {
      let form = Self.text(of: old)?.form ?? text
      return .text(form.text(of: form.zone.isEmpty ? zone?.clock(at: date) ?? date : date))
    }
    switch storage(like: old) {
    case .real: return .real(number(date))
    case .integer: return wholeNumber(date).map(SQLiteValue.integer)
    case .text:
      return unit == .julian
        ? .text(String(number(date))) : wholeNumber(date).map { .text(String($0)) }
    }
  }

  private func storage(like old: SQLiteValue) -> Storage {
    guard self.date(old) != nil else { return storage }
    return switch old {
    case .integer where unit != .julian: .integer
    case .text: .text
    case .integer, .real, .null, .malformedText, .blob: .real
    }
  }

  private func wholeNumber(_ date: Date) -> Int64? {
    let seconds = date.timeIntervalSinceReferenceDate
    let whole = seconds.rounded(.down)
    let scale = Self.scale(unit)
    // A `Date` is exact to microseconds at best.
    let steps = min(scale, 1_000_000)
    let rest = ((seconds - whole + Self.exactness) * Double(steps)).rounded(.down)
    guard let second = Int64(exactly: whole) else { return nil }
    let (start, isFar) = second.addingReportingOverflow(Self.epoch(unit))
    let (product, isTooFine) = start.multipliedReportingOverflow(by: scale)
    let (number, isOver) = product.addingReportingOverflow(Int64(rest) * (scale / steps))
    return isFar || isTooFine || isOver ? nil : number
  }
}
