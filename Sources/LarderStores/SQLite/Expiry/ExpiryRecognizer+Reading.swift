import Foundation
import HarmonySQLite
import LarderModel

extension ExpiryRecognizer {
  /// The start of 2040.
  ///
  /// Later times in seconds since 2001 are taken for seconds since 1970, from 2009 on.
  private static let appleEnd = Date(timeIntervalSinceReferenceDate: 1_230_768_000)
  /// All units, in the order in which they are preferred.
  ///
  /// If a number is a timestamp in two units, the one in which it is later comes first.
  private static let units = [.apple] + ExpiryUnit.allCases.filter { $0 != .apple }

  /// The form of a column's timestamps, as inferred from values.
  struct Reading {
    let form: TimestampForm
    /// Other units in which at least half of the values are timestamps.
    var rivals: [ExpiryUnit] = []

    /// Returns a warning, as a clause, that timestamps may be in several units; nil if they cannot.
    func doubt(_ column: Column) -> String? {
      guard !rivals.isEmpty else { return nil }
      return Messages.severalUnits(column.name, [form.unit] + rivals, readAs: form.unit)
    }

    /// Returns a warning, as a clause, that some values are not timestamps; nil if all are.
    ///
    /// Several programs may write into the column.
    func strangers(_ column: Column, _ values: [SQLiteValue]) -> String? {
      let count = values.count { !Never.isNever($0) && !form.isNever($0) && form.date($0) == nil }
      guard count > 0 else { return nil }
      return Messages.strangers(column.name, count, of: values.count, form.unit)
    }
  }

  /// Returns the form of timestamps, in the user's unit if one is set; nil if there are none.
  func reading(_ values: [SQLiteValue], _ column: Column) -> Reading? {
    choice.unit.map { Reading(form: form($0, values, column)) } ?? recognized(values, column)
  }

  /// Returns the form that values seem to have, regardless of the user's settings: the unit in
  /// which most of them are timestamps.
  ///
  /// No single value changes the unit of the others.
  func recognized(_ values: [SQLiteValue], _ column: Column) -> Reading? {
    let given = values.filter { !Never.isNever($0) }
    let votes = Self.units.compactMap { unit -> (form: TimestampForm, count: Int)? in
      let form = form(unit, given, column)
      let count = given.count { Self.isMoment($0, form) }
      return count > 0 && count * 2 >= given.count(where: { !form.isNever($0) })
        ? (form, count) : nil
    }
    guard let form = votes.max(by: { $0.count < $1.count })?.form else { return nil }
    return Reading(form: form, rivals: votes.map(\.form.unit).filter { $0 != form.unit })
  }

  /// Returns the unit in which a value on its own would be taken for a timestamp, if any.
  static func unit(of value: SQLiteValue) -> ExpiryUnit? {
    units.first { isMoment(value, TimestampForm(unit: $0, storage: .integer)) }
  }

  private static func isMoment(_ value: SQLiteValue, _ form: TimestampForm) -> Bool {
    form.date(value).map { form.unit != .apple || $0 < appleEnd } ?? false
  }

  /// Returns a form whose new values are like the first timestamp of a column, or else of its type.
  private func form(_ unit: ExpiryUnit, _ values: [SQLiteValue], _ column: Column) -> TimestampForm
  {
    var form = TimestampForm(unit: unit, storage: ColumnAffinity(declared: column.type).moments)
    if unit == .iso {
      form.storage = .text
      form.zone = choice.zone
      form.text = values.lazy.compactMap { TimestampForm.text(of: $0)?.form }.first ?? form.text
    } else {
      switch values.first(where: { form.date($0) != nil }) {
      case .real: form.storage = .real
      case .text: form.storage = .text
      case nil: break
      default: form.storage = .integer
      }
      if unit == .julian, form.storage == .integer { form.storage = .real }
    }
    return form
  }

  /// Whether a value is a number that can be a lifetime: up to ten years in nanoseconds.
  static func isLength(_ value: SQLiteValue) -> Bool {
    number(value).map { $0 > 0 && $0 < 3.2e17 } ?? false
  }

  static func number(_ value: SQLiteValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .text(let text) where text.utf8.count <= 32: Double(text)
    case .null, .text, .malformedText, .blob: nil
    }
  }
}

extension ColumnAffinity {
  /// The storage type for timestamps as numbers.
  fileprivate var moments: TimestampForm.Storage {
    switch self {
    case .real: .real
    case .text: .text
    case .integer, .none, .numeric: .integer
    }
  }
}
