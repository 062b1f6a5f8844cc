import Foundation
import HarmonySQLite
import LarderModel

/// How the values of a column stand for moments.
struct MomentForm: Sendable, Equatable {
  /// What a column holds.
  enum Storage: Sendable, Equatable {
    case integer
    case real
    case text
  }

  let unit: ExpiryUnit
  /// How new values are stored where there is no old one to follow.
  var storage: Storage
  /// How new texts are written where there is no old one to follow.
  var text = TextMoment.Form()
  /// The zone of texts that name none; nil for UTC.
  var zone: ExpiryZone?

  /// The Julian day of 1970, in days.
  private static let julianEpoch = 2_440_587.5
  /// How far a date may be off, which must not cost a whole unit.
  static let exactness = 0.000_000_2
  /// The tolerance within which two moments are the same, as Julian days are not finer.
  static let millisecond = 0.000_5
  /// The moments that columns hold: from 2000 to 2299.
  ///
  /// The numbers of these are of another size in each unit, but for seconds since 1970 of 2000 to 2008,
  /// which are also seconds since 2001 of 2031 to 2039.
  /// What lies outside is no moment, and never expires: a number of another unit, or a date that
  /// programs write for never or for nothing, such as 0001-01-01.
  static let range =
    Date(timeIntervalSince1970: 946_684_800)..<Date(timeIntervalSince1970: 10_413_792_000)
  /// Seconds since 2001 begin at 2004: smaller numbers count something else.
  private static let appleStart = Date(timeIntervalSince1970: 1_072_915_200)
  /// The last day that a four-digit year has, which programs write for never.
  private static let furthest = Date(timeIntervalSince1970: 253_402_214_400)

  /// How many units a second has, where numbers count them.
  static func scale(_ unit: ExpiryUnit) -> Int64 {
    switch unit {
    case .milliseconds: 1_000
    case .microseconds, .webkit: 1_000_000
    case .filetime, .ticks: 10_000_000
    case .nanoseconds: 1_000_000_000
    case .seconds, .apple, .iso, .julian: 1
    }
  }

  /// The seconds from where numbers start to count to 2001, from where dates do.
  private static func epoch(_ unit: ExpiryUnit) -> Int64 {
    switch unit {
    case .apple: 0
    case .webkit, .filetime: 12_622_780_800
    case .ticks: 63_113_904_000
    case .seconds, .milliseconds, .microseconds, .nanoseconds, .iso, .julian: 978_307_200
    }
  }

  /// The moment that a value stands for; nil for none, or one outside the ``range``.
  func date(_ value: SQLiteValue) -> Date? {
    guard let date = anyDate(value), Self.range.contains(date),
      unit != .apple || date >= Self.appleStart, unit == .iso || !Never.isNever(value)
    else { return nil }
    return date
  }

  /// Whether a value says that a row never expires: it lies after all moments, and is none in another
  /// unit either.
  func isNever(_ value: SQLiteValue) -> Bool {
    guard let date = anyDate(value), date >= Self.range.upperBound else { return false }
    return unit == .iso || ExpiryRecogniser.unit(of: value) == nil
  }

  /// Whether a value is on the last day that a four-digit year has, or where that day ends.
  func isLastDay(_ value: SQLiteValue) -> Bool {
    guard let date = anyDate(value) else { return false }
    return date >= Self.furthest && date <= Self.furthest.addingTimeInterval(86_400)
  }

  /// The last second of that day.
  ///
  /// - Throws: ``StoreError`` where the unit is too fine for it.
  func lastMoment(of column: String) throws(StoreError) -> SQLiteValue {
    let end = Self.furthest.addingTimeInterval(86_399)
    guard let value = value(end, like: .null), isLastDay(value) else {
      throw .notSupported(
        "\(column) has no way to say that an entry never expires: no row does, it takes no null, and "
          + "the year 9999 is too far away for it; nothing was written")
    }
    return value
  }

  /// Whether a value is a date without a time of day.
  func isDateAlone(_ value: SQLiteValue) -> Bool {
    guard unit == .iso, case .text(let text) = value else { return false }
    return TextMoment(text)?.form.hasTime == false
  }

  private func anyDate(_ value: SQLiteValue) -> Date? {
    switch value {
    case .integer(let number): return date(number)
    case .real(let number): return date(number)
    case .text(let text):
      if unit == .iso { return TextMoment(text).map(date) }
      guard text.utf8.count <= 32 else { return nil }
      return Int64(text).map(date) ?? Double(text).map(date) ?? nil
    case .null, .malformedText, .blob: return nil
    }
  }

  private func date(_ moment: TextMoment) -> Date {
    guard let zone, moment.form.zone.isEmpty else { return moment.date }
    return zone.moment(ofClock: moment.date)
  }

  private func date(_ number: Int64) -> Date? {
    guard number > 0 else { return nil }
    switch unit {
    case .iso: return nil
    case .julian: return date(Double(number))
    case .seconds, .milliseconds, .microseconds, .nanoseconds, .apple, .webkit, .filetime, .ticks:
      let scale = Self.scale(unit)
      return Date(
        timeIntervalSinceReferenceDate: Double(number / scale - Self.epoch(unit))
          + Double(number % scale) / Double(scale))
    }
  }

  private func date(_ number: Double) -> Date? {
    guard number > 0, number.isFinite else { return nil }
    let epoch = Self.epoch(unit)
    return switch unit {
    case .iso: nil
    // SQLite reads them to the millisecond, too.
    case .julian:
      Timestamp.date((number - Self.julianEpoch) * 86_400, since: epoch, steps: 1_000)
    case .seconds, .milliseconds, .microseconds, .nanoseconds, .apple, .webkit, .filetime, .ticks:
      Timestamp.date(number / Double(Self.scale(unit)), since: epoch)
    }
  }

  /// The number that stands for a moment; of ISO 8601 text its Julian day, as SQLite reads it.
  func number(_ date: Date) -> Double {
    switch unit {
    case .iso, .julian: date.timeIntervalSince1970 / 86_400 + Self.julianEpoch
    case .seconds, .milliseconds, .microseconds, .nanoseconds, .apple, .webkit, .filetime, .ticks:
      (date.timeIntervalSinceReferenceDate + Double(Self.epoch(unit))) * Double(Self.scale(unit))
    }
  }

  /// The value that stands for a moment, kept as the one that it takes the place of; nil where a number
  /// of 64 bits does not reach so far.
  ///
  /// What is finer than the unit is left out, so that what is to expire now has expired.
  func value(_ date: Date, like old: SQLiteValue) -> SQLiteValue? {
    if unit == .iso {
      var form = text
      if case .text(let text) = old, let known = TextMoment(text)?.form { form = known }
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
    // A date holds no more than microseconds.
    let steps = min(scale, 1_000_000)
    let rest = ((seconds - whole + Self.exactness) * Double(steps)).rounded(.down)
    guard let second = Int64(exactly: whole) else { return nil }
    let (start, isFar) = second.addingReportingOverflow(Self.epoch(unit))
    let (product, isTooFine) = start.multipliedReportingOverflow(by: scale)
    let (number, isOver) = product.addingReportingOverflow(Int64(rest) * (scale / steps))
    return isFar || isTooFine || isOver ? nil : number
  }
}
