import HarmonySQLite
import LarderModel

extension StoredValue {
  /// Creates a value from one in a database.
  init(_ value: SQLiteValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let text): self = .text(text)
    case .malformedText(let bytes): self = .malformedText(bytes)
    case .blob(let bytes): self = .data(bytes)
    }
  }
}

extension EntryKey {
  /// Creates a key from the value of one column.
  init(_ value: SQLiteValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let text): self = .text(text)
    case .malformedText(let bytes): self = .malformedText(bytes)
    case .blob(let bytes): self = .bytes(bytes)
    }
  }
}

extension EntryKey {
  /// Creates a key from the values of its columns.
  init(parts: [SQLiteValue]) {
    self = parts.count == 1 ? EntryKey(parts[0]) : .composite(parts.map { EntryKey($0) })
  }
}

extension SQLiteValue {
  /// Creates the value that a database stores, without any conversion.
  ///
  /// - Throws: ``StoreError`` for types that a database does not have, for NaN, and for digits that
  ///   do not fit into 64 bits.
  init(_ value: StoredValue, column: String) throws(StoreError) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number):
      guard !number.isNaN else {
        throw .columnNaN(column)
      }
      self = .real(number)
    case .number(let digits):
      guard value.type == .real, let number = DecimalNumber.real(of: digits) else {
        throw .longNumber(digits, in: column)
      }
      self = .real(number)
    case .text(let text): self = .text(text)
    case .malformedText(let bytes): self = .malformedText(bytes)
    case .data(let bytes): self = .blob(bytes)
    case .bool, .date, .url, .uuid, .array, .dictionary, .record:
      throw .noColumnType(value.type, in: column)
    }
  }

  /// Creates the value that a database stores for one part of a key; nil for a composite.
  init?(_ key: EntryKey) {
    switch key {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let text): self = .text(text)
    case .malformedText(let bytes): self = .malformedText(bytes)
    case .bytes(let bytes): self = .blob(bytes)
    case .composite: return nil
    }
  }
}
