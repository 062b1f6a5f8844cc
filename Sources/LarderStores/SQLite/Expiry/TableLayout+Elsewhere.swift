import Foundation
import HarmonySQLite
import LarderModel

extension TableLayout {
  /// Converts a value from another store, perhaps with other units, so that it keeps its expiry.
  ///
  /// If the value already has that expiry, its columns are unchanged, except that the number in the
  /// expiry column becomes one that the column can hold, such as 1.0 for 1.
  ///
  /// - Parameters:
  ///   - value: The value as the other store has it.
  ///   - end: Its expiry there; the distant future if it never expires, nil if that is unknown.
  /// - Returns: The value with the same expiry.
  /// - Throws: ``StoreError`` if the table cannot store exactly that expiry.
  func value(_ value: StoredValue, counting end: Date?) throws(StoreError) -> StoredValue {
    guard let timing else {
      if case .undecided(let column, _) = expiry { return asStored(value, in: column) }
      return value
    }
    guard column(timing.column)?.isGenerated == false else { return value }
    if !isSingleValue {
      guard case .record = value else { return value }
    }
    let given = stored(timing.column, of: value)
    let current = expiry(of: value)
    guard let end else {
      guard let given, let never = try timing.never(insteadOf: given) else { return value }
      let moment = StoredValue(never)
      return isSingleValue ? moment : value.setting(timing.column, to: moment)
    }
    let date = end == .distantFuture ? nil : end
    if Self.areSame(current, date) { return asStored(value, in: timing.column) }
    // A value that is a different time in every unit is deliberate.
    if let given, given != .null, let date, timing.since == nil,
      Self.form(of: given, at: date) == nil
    {
      return value
    }
    guard timing.since == nil else {
      throw .otherUnits(timing.column, of: name, read: current, wanted: date)
    }
    // Not stored like the given value, which follows the other table.
    let exact = try timing.value(date, like: .null, since: .null)
    if let date, let written = timing.form.date(exact),
      abs(written.timeIntervalSince(date)) >= TimestampForm.millisecond
    {
      throw .inexactCopy(timing.column, of: name, date, as: written)
    }
    let moment = StoredValue(exact)
    guard !isSingleValue else { return moment }
    var row = value.setting(timing.column, to: moment)
    if let date, let given, let form = Self.form(of: given, at: date) {
      for other in [timing.uses.made, timing.uses.used] {
        guard let other, let old = stored(other.column, of: value),
          let new = Self.converted(
            old, from: form, to: other.form, isAlike: other.form.unit == timing.form.unit)
        else { continue }
        row = row.setting(other.column, to: StoredValue(new))
      }
    }
    return row
  }

  /// Returns a value with the number in a column as the database would store it, if both are equal.
  ///
  /// The declared type of a column makes reals of integers, numbers of digits, and so on, by which
  /// a timestamp loses nothing.
  private func asStored(_ value: StoredValue, in name: String) -> StoredValue {
    guard let column = column(name), !column.isGenerated, let given = stored(name, of: value) else {
      return value
    }
    let kept = StoredValue(ColumnAffinity(declared: column.type).number(given))
    return isSingleValue ? kept : value.setting(name, to: kept)
  }

  /// Returns when a row with a value expires; nil if never, or if that is unknown.
  func expiry(of value: StoredValue) -> Date? {
    timing?.date(
      timing.flatMap { stored($0.column, of: value) } ?? .null,
      since: timing?.since.flatMap { stored($0, of: value) } ?? .null)
  }

  /// Returns the value of a column in a row; nil if the row has none.
  func stored(_ column: String, of value: StoredValue) -> SQLiteValue? {
    let field = isSingleValue ? value : value.field(column)
    return field.flatMap { try? SQLiteValue($0, column: column) }
  }

  /// Whether two expiries are less than a second apart.
  private static func areSame(_ left: Date?, _ right: Date?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left.timeIntervalSince(right)) < 1
  }

  /// Returns the form in which a value is a given time; nil if there is none.
  private static func form(of value: SQLiteValue, at date: Date) -> TimestampForm? {
    for unit in ExpiryUnit.allCases {
      var form = TimestampForm(unit: unit, storage: .integer)
      guard let read = form.date(value) else { continue }
      if areSame(read, date) { return form }
      // The user may have set a zone for texts of the other store that name none.
      guard unit == .iso else { continue }
      let ahead = (read.timeIntervalSince(date) / 900).rounded() * 900
      form.zone = abs(ahead) <= 14 * 3_600 ? ExpiryZone(ahead: ahead) : nil
      if areSame(form.date(value), date) { return form }
    }
    return nil
  }

  /// Converts another timestamp of the same row; nil if it is not one in the old form, or already
  /// seems to be one in the new form.
  ///
  /// If this table has both timestamps in the same unit (`isAlike`), so has any other table with
  /// these columns.
  private static func converted(
    _ value: SQLiteValue, from old: TimestampForm, to form: TimestampForm, isAlike: Bool
  ) -> SQLiteValue? {
    guard let date = old.date(value), isAlike || form.date(value) == nil else { return nil }
    return form.value(date, like: .null)
  }
}
