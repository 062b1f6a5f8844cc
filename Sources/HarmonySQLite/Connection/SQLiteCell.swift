import CSQLite

/// The text encoding of a database.
enum SQLiteEncoding {
  case utf8
  case utf16
  /// The encoding could not be determined.
  case unknown
}

/// A value borrowed from SQLite.
struct SQLiteCell {
  private let cell: OpaquePointer?
  private let encoding: SQLiteEncoding

  init(_ cell: OpaquePointer?, _ encoding: SQLiteEncoding) {
    self.cell = cell
    self.encoding = encoding
  }

  var type: SQLiteType {
    switch sqlite3_value_type(cell) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  var integer: Int64 { sqlite3_value_int64(cell) }

  var real: Double { sqlite3_value_double(cell) }

  /// The borrowed value of a UTF-8 database.
  var lent: SQLiteLentValue {
    switch sqlite3_value_type(cell) {
    case SQLITE_INTEGER: .integer(sqlite3_value_int64(cell))
    case SQLITE_FLOAT: .real(sqlite3_value_double(cell))
    // As a blob, text is not copied; as text it would be copied to append a NUL.
    case SQLITE_TEXT: .text(blob)
    case SQLITE_BLOB: .blob(blob)
    default: .null
    }
  }

  private var blob: UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(cell)
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(cell)))
  }

  /// A copy of the value.
  var value: SQLiteValue {
    guard type == .text else { return lent.copy }
    guard let units = wideText else { return SQLiteLentValue.text(bytes).copy }
    return SQLiteWideText.isWellFormed(units)
      ? .text(String(decoding: units, as: UTF16.self))
      : .malformedText(SQLiteWideText.bytes(units))
  }

  /// The borrowed bytes, except for UTF-16 text, for which ``wideText`` is used.
  var bytes: UnsafeRawBufferPointer {
    let type = sqlite3_value_type(cell)
    // As a blob, text is not copied; as text it would be copied to append a NUL.
    let start =
      type == SQLITE_BLOB || (type == SQLITE_TEXT && encoding == .utf8)
      ? sqlite3_value_blob(cell) : UnsafeRawPointer(sqlite3_value_text(cell))
    // The count must be read after the bytes, which may have been converted.
    let count = start == nil ? 0 : Int(sqlite3_value_bytes(cell))
    return UnsafeRawBufferPointer(start: start, count: count)
  }

  /// The borrowed text of a UTF-16 database; nil for all other values.
  ///
  /// It is never requested as UTF-8: SQLite would store the converted text, and convert some
  /// characters to U+FFFD when converting it back.
  var wideText: UnsafeBufferPointer<UInt16>? {
    guard encoding == .utf16, sqlite3_value_type(cell) == SQLITE_TEXT,
      let start = sqlite3_value_text16(cell)
    else { return nil }
    return UnsafeBufferPointer(
      start: start.assumingMemoryBound(to: UInt16.self),
      count: Int(sqlite3_value_bytes16(cell)) / 2)
  }

  fileprivate static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
    let bytes = bytes.assumingMemoryBound(to: UInt8.self)
    // Most text is ASCII, for which this is several times faster than validating it.
    if isASCII(bytes) { return String(decoding: bytes, as: UTF8.self) }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var bits: UInt8 = 0
    for byte in bytes { bits |= byte }
    return bits < 0x80
  }
}

extension SQLiteLentValue {
  /// A copy of the value.
  package var copy: SQLiteValue {
    switch self {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let bytes): SQLiteCell.text(bytes).map { .text($0) } ?? .malformedText(Array(bytes))
    case .blob(let bytes): .blob(Array(bytes))
    }
  }
}
