import Foundation
import HarmonySQLite
import LarderModel

extension ExpiryRecogniser {
  /// The start of 2040.
  ///
  /// Later times in seconds since 2001 are taken for seconds since 1970, from 2009 on.
  private static let appleEnd = Date(timeIntervalSinceReferenceDate: 1_230_768_000)
  /// All units, in the order in which they are preferred.
  ///
  /// If a number is a timestamp in two units, the one in which it is later comes first.
  private static let units: [ExpiryUnit] =
    [.apple] + ExpiryUnit.allCases.filter { $0 != .apple }

  /// The form of a column's timestamps, as inferred from values.
  struct Reading {
    let form: MomentForm
    /// Other units in which at least half of the values are timestamps.
    var rivals: [ExpiryUnit] = []
  }

  /// Returns the form of timestamps, in the user's unit if one is set; nil if there are none.
  func reading(_ values: [SQLiteValue], _ column: Column) -> Reading? {
    choice.unit.map { Reading(form: form($0, values, column.storage)) }
      ?? recognised(values, column)
  }

  /// Returns the form that values seem to have, regardless of the user's settings: the unit in
  /// which most of them are timestamps.
  ///
  /// No single value changes the unit of the others.
  func recognised(_ values: [SQLiteValue], _ column: Column) -> Reading? {
    let given = values.filter { !Never.isNever($0) }
    let votes = Self.units.map { unit in
      let form = form(unit, given, column.storage)
      let ending = given.filter { !form.isNever($0) }
      let count = ending.count { Self.isMoment($0, form) }
      return (form: form, count: count, isLikely: count > 0 && count * 2 >= ending.count)
    }
    .filter(\.isLikely)
    guard let form = votes.max(by: { $0.count < $1.count })?.form else { return nil }
    return Reading(form: form, rivals: votes.map(\.form.unit).filter { $0 != form.unit })
  }

  /// Returns the unit in which a value on its own would be taken for a timestamp, if any.
  static func unit(of value: SQLiteValue) -> ExpiryUnit? {
    units.first { isMoment(value, MomentForm(unit: $0, storage: .integer)) }
  }

  private static func isMoment(_ value: SQLiteValue, _ form: MomentForm) -> Bool {
    form.date(value).map { form.unit != .apple || $0 < appleEnd } ?? false
  }

  /// Returns a warning, as a clause, that timestamps may be in several units; nil if they cannot.
  func unitDoubt(_ column: Column, _ reading: Reading) -> String? {
    guard !reading.rivals.isEmpty else { return nil }
    let units = [reading.form.unit] + reading.rivals
    return "\(column.name) may hold \(units.map(\.spoken).joined(separator: " or ")), and is read "
      + "as \(reading.form.unit.spoken)"
  }

  /// Returns a warning, as a clause, that some values are not timestamps; nil if all are.
  ///
  /// Several programs may write into the column.
  func strangersDoubt(
    _ column: Column, _ form: MomentForm, _ values: [SQLiteValue]
  ) -> String? {
    let count = values.count { !Never.isNever($0) && !form.isNever($0) && form.date($0) == nil }
    guard count > 0 else { return nil }
    let (values, verb) =
      count == 1
      ? ("1 of \(values.count) values is not a time", "never expires")
      : ("\(count) of \(values.count) values are not times", "never expire")
    return "\(column.name): \(values) from 2000 to 2299 in \(form.unit.spoken), and \(verb)"
  }

  private func form(
    _ unit: ExpiryUnit, _ values: [SQLiteValue], _ declared: MomentForm.Storage
  ) -> MomentForm {
    var form = MomentForm(unit: unit, storage: declared)
    if unit == .iso {
      form.storage = .text
      form.zone = choice.zone
      for value in values {
        if case .text(let text) = value, let moment = TextMoment(text) {
          form.text = moment.form
          break
        }
      }
    } else {
      form.storage = unit == .julian && declared == .integer ? .real : declared
      for value in values where form.date(value) != nil {
        switch value {
        case .real: form.storage = .real
        case .text: form.storage = .text
        default: form.storage = unit == .julian ? .real : .integer
        }
        break
      }
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

extension ExpiryRecogniser.Column {
  /// The storage type for numbers in a column with the declared type.
  fileprivate var storage: MomentForm.Storage {
    let type = type.uppercased()
    if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) { return .real }
    return ["CHAR", "TEXT", "CLOB"].contains(where: type.contains) ? .text : .integer
  }
}
