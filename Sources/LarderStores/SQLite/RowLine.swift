import Harmony
import HarmonySQLite
import LarderModel
import LarderFormats

/// Writes the rows of a statement as the lines of an export, without an entry for each.
///
/// The same text as that of an ``EntryLine`` of the entry that ``RowReader`` makes of the row.
struct RowLine {
  private let reader: RowReader
  private let keyCount: Int
  /// What stands before the value of each column of a record: a comma but for the first, and its
  /// name; nil where a row's value is that of one column.
  private let names: [[UInt8]]?
  /// What every line ends with.
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

  /// Writes the current row, without an end of the line.
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

  /// Writes the beginning of a line: the key of the current row.
  static func begin(_ statement: SQLiteStatement, _ reader: RowReader, to text: inout ByteBuffer) {
    text.append(literal: "{\"key\":")
    if reader.layout.keyColumns.count == 1 {
      write(statement.lent(at: 0), to: &text)
    } else {
      JSONText.append(EntryLine.value(of: reader.key(statement)), to: &text)
    }
  }

  /// What stands between the key and a single value.
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
