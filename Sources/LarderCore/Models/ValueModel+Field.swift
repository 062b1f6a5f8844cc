extension ValueModel {
  /// What is shown of the entry: of a row that is one value beside its expiry that value, unless the
  /// format is the one of its columns.
  package var shown: StoredValue? { entry.value?.value.map { part(of: $0, in: format) } }

  /// The column that is shown in the place of the row; nil where all of it is.
  package var shownField: String? {
    guard let valueField, format != ValueFormat.record.name,
      entry.value?.value?.field(valueField) != nil
    else { return nil }
    return valueField
  }

  /// The value that the entry is kept for, in whatever format it is shown.
  var innerValue: StoredValue? { entry.value?.value.map(inner) }

  /// The value that a row is kept for, or the row.
  func inner(of row: StoredValue) -> StoredValue { valueField.flatMap(row.field) ?? row }

  /// What of a row a format shows.
  func part(of row: StoredValue, in format: String?) -> StoredValue {
    format == ValueFormat.record.name ? row : inner(of: row)
  }

  /// The formats that can show the value of a row, the best first; that of all columns comes last
  /// where one of them is the value.
  func plainFormats(of row: StoredValue) -> [String] {
    ValueFormat.suitable(for: inner(of: row)).map(\.name) + rowFormats(of: row)
  }

  /// The format of all columns, of a row that is shown by one of them.
  func rowFormats(of row: StoredValue) -> [String] {
    valueField.flatMap(row.field) == nil ? [] : [ValueFormat.record.name]
  }
}
