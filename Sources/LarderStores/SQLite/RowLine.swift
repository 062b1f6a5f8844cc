import Harmony
import HarmonySQLite
import LarderModel
import LarderFormats

/// Writes the rows of a statement as lines of an export, without creating an entry for each.
///
/// The text is the same as that of an ``EntryLine`` for the entry that ``RowReader`` reads.
struct RowLine {
  private let reader: RowReader
  private let keyCount: Int
  /// The text before each value of a record: a comma, except before the first, and the name of the
  /// column; nil if a row has a single value.
  private let names: [[UInt8]]?
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
      : reader.layout.values.enumerated().map { place, column in
        Array(((place == 0 ? "" : ",") + JSONText.quote(column.name) + ":").utf8)
      }
  }

  /// Writes the current row without a line terminator.
  func write(_ statement: SQLiteStatement, to text: inout ByteBuffer) {
    Self.begin(statement, reader, to: &text)
    if let names {
      text.append(literal: ",\"type\":\"record\",\"value\":{")
      for (place, name) in names.enumerated() {
        text.append(name)
        Self.write(statement.lent(at: keyCount + place), to: &text)
      }
      text.append(UInt8(ascii: "}"))
    } else {
      let value = statement.lent(at: keyCount)
      text.append(literal: Self.start(of: value))
      Self.write(value, to: &text)
    }
    if let modified = reader.uses(statement).made {
      text.append(",\"modified\":\"\(Timestamp.text(of: modified))\"")
    }
    if let expires = reader.expires(statement) {
      text.append(",\"expires\":\"\(Timestamp.text(of: expires))\"")
    }
    text.append(end)
  }

  /// Writes the start of a line with the key of the current row.
  static func begin(_ statement: SQLiteStatement, _ reader: RowReader, to text: inout ByteBuffer) {
    text.append(literal: "{\"key\":")
    if reader.layout.keyColumns.count == 1 {
      write(statement.lent(at: 0), to: &text)
    } else {
      JSONText.append(EntryLine.value(of: reader.key(statement)), to: &text)
    }
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

  private static func write(_ value: SQLiteLentValue, to text: inout ByteBuffer) {
    switch value {
    case .null: text.append(literal: "null")
    case .integer(let number): text.append(digitsOf: number)
    case .real(let number): text.append(json: number)
    case .text(let bytes): text.append(jsonText: bytes)
    case .blob(let bytes): text.append(json: bytes, isText: false)
    }
  }
}
