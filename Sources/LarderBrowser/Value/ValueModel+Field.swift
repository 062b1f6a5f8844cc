package import LarderModel
import LarderFormats

extension ValueModel {
  /// A column of a record that is shown by itself, and how the record was shown.
  struct OpenedColumn: Sendable, Equatable {
    let name: String
    let chosenFormat: String?
    let formatInPlaceOf: String?
    let cursor: ListCursor
  }

  /// The column that is shown for its row, or was opened; nil where there is none.
  package var valueField: String? { opened?.name ?? keptField }

  /// The name of the column of a record that was opened.
  package var openedColumn: String? { opened?.name }

  /// The selected column of a record; nil where none is selected.
  var selectedColumn: StoredValue.Field? {
    guard let place = selectedField, case .record(let fields) = entry.value?.value,
      fields.indices.contains(place)
    else { return nil }
    return fields[place]
  }

  /// Selects a column of a record, where it is shown.
  mutating func select(_ column: String, height: Int) {
    guard selectsFields, case .record(let fields) = entry.value?.value,
      let place = fields.firstIndex(where: { $0.name.hasBytes(of: column) }),
      let row = (0..<content.count).first(where: {
        content.line(at: $0, marking: nil, selected: nil).field == place
      })
    else { return }
    cursor.select(row, count: content.count, height: height)
  }

  /// Whether the row of a column cannot show all there is to see of it.
  func hasMoreToShow(_ column: StoredValue.Field) -> Bool {
    switch column.value {
    case .data(let bytes): return !bytes.isEmpty
    case .malformedText, .array, .dictionary, .record: return true
    case .text(let text), .url(let text):
      let room = max(20, width - column.name.count - 4)
      // Short text is soon looked through.
      return text.utf8.count > room || text.utf8.contains(UInt8(ascii: "\n"))
        || ValueFormat.suitable(for: column.value).first?.name != ValueFormat.text.name
    default: return false
    }
  }

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
    innerFormats(ValueFormat.suitable(for: inner(of: row))) + rowFormats(of: row)
  }

  /// The names of formats; that of columns shows the whole row, of which one was opened.
  func innerFormats(_ formats: [ValueFormat]) -> [String] {
    let names = formats.map(\.name)
    return opened == nil ? names : names.filter { $0 != ValueFormat.record.name }
  }

  /// The format of all columns, of a row that is shown by one of them.
  func rowFormats(of row: StoredValue) -> [String] {
    opened != nil || keptField.flatMap(row.field) == nil ? [] : [ValueFormat.record.name]
  }
}
