import Harmony
import HarmonySQLite
import LarderModel
import LarderFormats
import LarderStoreBase

/// Writes the rows of a statement as lines of an export, without creating an entry for each.
///
/// The text is the same as that of an ``EntryLine`` for the entry that ``RowReader`` reads.
final class RowLine {
  private let reader: RowReader
  private let keyCount: Int
  /// The text before each value of a record: a comma, except before the first, and the name of the
  /// column; nil if a row has a single value.
  private let names: PackedStrings?
  /// The end of every line.
  private let end: [UInt8]

  init(_ reader: RowReader) {
    self.reader = reader
    let columns = reader.layout.valueColumn.map {
      ValueColumns(value: $0, expiry: reader.layout.timing?.column)
    }
    end = Array(((columns.map(EntryLine.text) ?? "") + "}").utf8)
    keyCount = reader.layout.keyColumns.count
    names =
      reader.layout.isSingleValue
      ? nil
      : PackedStrings(
        reader.layout.values.enumerated().map { place, column in
          Array(((place == 0 ? "" : ",") + JSONText.quote(column.name) + ":").utf8)
        })
  }

  /// Writes the current row without a line terminator.
  func write(_ statement: SQLiteStatement, to text: inout ByteBuffer) {
    Self.begin(statement, keyCount, to: &text)
    if let names {
      text.append(literal: ",\"type\":\"record\",\"value\":{")
      names.forEach { place, name in
        text.append(name)
        text.append(json: statement.lent(at: keyCount + place))
      }
      text.append(UInt8(ascii: "}"))
    } else {
      let value = statement.lent(at: keyCount)
      text.append(literal: Self.start(of: value))
      text.append(json: value)
    }
    if let modified = reader.made(statement) { text.append(member: "modified", modified) }
    if let expires = reader.expires(statement) { text.append(member: "expires", expires) }
    text.append(end)
  }

  /// Writes the start of a line with the key of the current row.
  static func begin(_ statement: SQLiteStatement, _ keyCount: Int, to text: inout ByteBuffer) {
    text.append(literal: "{\"key\":")
    guard keyCount != 1 else { return text.append(json: statement.lent(at: 0)) }
    for place in 0..<keyCount {
      text.append(UInt8(ascii: place == 0 ? "[" : ","))
      text.append(json: statement.lent(at: place))
    }
    text.append(UInt8(ascii: "]"))
  }

  /// Returns the text between the key and a single value.
  private static func start(of value: SQLiteLentValue) -> StaticString {
    switch value {
    case .null: ",\"type\":\"null\",\"value\":"
    case .integer: ",\"type\":\"integer\",\"value\":"
    case .real: ",\"type\":\"real\",\"value\":"
    case .text: ",\"type\":\"text\",\"value\":"
    case .blob: ",\"type\":\"data\",\"value\":"
    }
  }
}
