import Foundation
import HarmonySQLite
import LarderCore

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

  /// From 1970 to 2001, from where dates count.
  private static let reference: Int64 = 978_307_200
  /// The Julian day of 1970, in days.
  private static let julianEpoch = 2_440_587.5
  /// How far a date may be off, which must not cost a whole unit.
  static let exactness = 0.000_000_2
  /// The last day that a four-digit year has, which programs write for never.
  static let furthest = Date(timeIntervalSince1970: 253_402_214_400)

  /// How many units a second has, where numbers count from 1970 or 2001.
  static func scale(_ unit: ExpiryUnit) -> Int64 {
    switch unit {
    case .milliseconds: 1_000
    case .microseconds: 1_000_000
    case .nanoseconds: 1_000_000_000
    case .seconds, .apple, .iso, .julian: 1
    }
  }

  /// The moment that a value stands for; nil for none, or one so far away that it means never.
  func date(_ value: SQLiteValue) -> Date? {
    guard let date = anyDate(value), date < Self.furthest else { return nil }
    return date
  }

  /// Whether a value is a moment at the end of time, such as 9999-12-31.
  func isFar(_ value: SQLiteValue) -> Bool {
    guard date(value) == nil else { return false }
    if case .text(let text) = value, unit == .iso { return TextMoment(text) != nil }
    return unit != .iso && (ExpiryRecogniser.number(value) ?? 0) > number(Self.furthest)
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
    let value = value(Self.furthest.addingTimeInterval(86_399), like: .null)
    guard isLastDay(value) else {
      throw .notSupported(
        "\(column) has no way to say that an entry never expires: no row does, it takes no null, and "
          + "the year 9999 is too far away for it; nothing was written")
    }
    return value
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
    let scale = Self.scale(unit)
    switch unit {
    case .iso: return nil
    case .julian: return date(Double(number))
    case .apple: return Date(timeIntervalSinceReferenceDate: Double(number))
    case .seconds, .milliseconds, .microseconds, .nanoseconds:
      return Date(
        timeIntervalSinceReferenceDate: Double(number / scale - Self.reference)
          + Double(number % scale) / Double(scale))
    }
  }

  private func date(_ number: Double) -> Date? {
    guard number > 0, number.isFinite else { return nil }
    let scale = Double(Self.scale(unit))
    return switch unit {
    case .iso: nil
    case .julian: Date(timeIntervalSince1970: (number - Self.julianEpoch) * 86_400)
    case .apple: Date(timeIntervalSinceReferenceDate: number)
    case .seconds, .milliseconds, .microseconds, .nanoseconds:
      Date(timeIntervalSinceReferenceDate: number / scale - Double(Self.reference))
    }
  }

  /// The number that stands for a moment; of ISO 8601 text its Julian day, as SQLite reads it.
  func number(_ date: Date) -> Double {
    switch unit {
    case .apple: date.timeIntervalSinceReferenceDate
    case .iso, .julian: date.timeIntervalSince1970 / 86_400 + Self.julianEpoch
    case .seconds, .milliseconds, .microseconds, .nanoseconds:
      date.timeIntervalSince1970 * Double(Self.scale(unit))
    }
  }

  /// The value that stands for a moment, kept as the one that it takes the place of.
  ///
  /// What is finer than the unit is left out, so that what is to expire now has expired.
  func value(_ date: Date, like old: SQLiteValue) -> SQLiteValue {
    if unit == .iso {
      var form = text
      if case .text(let text) = old, let known = TextMoment(text)?.form { form = known }
      return .text(form.text(of: form.zone.isEmpty ? zone?.clock(at: date) ?? date : date))
    }
    switch storage(like: old) {
    case .real: return .real(number(date))
    case .integer: return .integer(wholeNumber(date))
    case .text: return .text(unit == .julian ? String(number(date)) : String(wholeNumber(date)))
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

  private func wholeNumber(_ date: Date) -> Int64 {
    let seconds = date.timeIntervalSinceReferenceDate
    let whole = seconds.rounded(.down)
    let scale = Self.scale(unit)
    let rest = ((seconds - whole + Self.exactness) * Double(scale)).rounded(.down)
    let start = unit == .apple ? 0 : Self.reference
    return Int64(clamping: (Int64(exactly: whole) ?? 0) + start)
      .multipliedClamping(by: scale) + Int64(rest)
  }
}

extension Int64 {
  fileprivate func multipliedClamping(by factor: Int64) -> Int64 {
    let (product, overflows) = multipliedReportingOverflow(by: factor)
    // Room is left for the part of a second.
    return overflows ? (self < 0 ? .min / 2 : .max / 2) : product
  }
}
