package import LarderModel
import LarderFormats

extension ValueModel {
  /// A record column that is shown on its own, with the display of the record to return to.
  struct OpenedColumn: Sendable, Equatable {
    let name: String
    let chosenFormat: String?
    let formatInPlaceOf: String?
    let cursor: ListCursor
  }

  /// The column that is opened or represents its row, or `nil` if there is none.
  package var valueField: String? { opened?.name ?? keptField }

  /// The name of the opened column.
  package var openedColumn: String? { opened?.name }

  /// The selected column of a record, or `nil` if none is selected.
  var selectedColumn: StoredValue.Field? {
    guard let place = selectedField, case .record(let fields) = entry.value?.value,
      fields.indices.contains(place)
    else { return nil }
    return fields[place]
  }

  /// Selects a column of a record, if it is shown.
  mutating func select(_ column: String, height: Int) {
    guard selectsFields, case .record(let fields) = entry.value?.value,
      let place = fields.firstIndex(where: { $0.name.hasBytes(of: column) }),
      let row = (0..<content.count).first(where: {
        content.line(at: $0, marking: nil, selected: nil).field == place
      })
    else { return }
    cursor.select(row, count: content.count, height: height)
  }

  /// Returns whether the row of a column does not show all of its value.
  func hasMoreToShow(_ column: StoredValue.Field) -> Bool {
    switch column.value {
    case .data(let bytes): return !bytes.isEmpty
    case .malformedText, .array, .dictionary, .record: return true
    case .text(let text), .url(let text):
      let room = max(20, width - column.name.count - 4)
      // Searching a short text for suitable formats is fast.
      return text.utf8.count > room || text.utf8.contains(UInt8(ascii: "\n"))
        || ValueFormat.suitable(for: column.value).first?.name != ValueFormat.text.name
    default: return false
    }
  }

  /// The part of the entry that is shown.
  ///
  /// For a row that has one value column besides its expiry, that is the value column, unless the
  /// format shows all columns.
  package var shown: StoredValue? { entry.value?.value.map { part(of: $0, in: format) } }

  /// The column that is shown instead of the row, or `nil` if the whole row is shown.
  package var shownField: String? {
    guard let valueField, format != ValueFormat.record.name,
      entry.value?.value?.field(valueField) != nil
    else { return nil }
    return valueField
  }

  /// The main value of the entry, in whatever format it is shown.
  var innerValue: StoredValue? { entry.value?.value.map(inner) }

  /// Returns the value column of a row, or the row itself.
  func inner(of row: StoredValue) -> StoredValue { valueField.flatMap(row.field) ?? row }

  /// Returns the part of a row that a format shows.
  func part(of row: StoredValue, in format: String?) -> StoredValue {
    format == ValueFormat.record.name ? row : inner(of: row)
  }

  /// Returns the formats that can show the value of a row, best first.
  ///
  /// The format of all columns comes last if one of them is the value.
  func plainFormats(of row: StoredValue) -> [String] {
    innerFormats(ValueFormat.suitable(for: inner(of: row))) + rowFormats(of: row)
  }

  /// Returns the names of formats, without the record format if a column is open, where it would
  /// show the whole row.
  func innerFormats(_ formats: [ValueFormat]) -> [String] {
    let names = formats.map(\.name)
    return opened == nil ? names : names.filter { $0 != ValueFormat.record.name }
  }

  /// Returns the record format, for a row that is shown by its value column.
  func rowFormats(of row: StoredValue) -> [String] {
    opened != nil || keptField.flatMap(row.field) == nil ? [] : [ValueFormat.record.name]
  }
}

extension ValueModel {
  /// The bytes at the start of databases, with their offsets.
  private static let databaseMarks = [
    (0, Array("SQLite format 3\0".utf8)), (16, Array("T-DB".utf8)),
  ]

  /// Whether the value is the content of a file that can be opened as a store: a database, a property
  /// list, or a JSON object or array.
  var holdsStore: Bool {
    switch entry.value?.value {
    case .data(let bytes):
      formats.first == ValueFormat.plist.name
        || Self.databaseMarks.contains { bytes.dropFirst($0).starts(with: $1) }
    case .text(let text):
      formats.first == ValueFormat.plist.name
        || formats.first == ValueFormat.json.name
          && text.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.map(Set("{[".utf8).contains)
            == true
    default: false
    }
  }
}
