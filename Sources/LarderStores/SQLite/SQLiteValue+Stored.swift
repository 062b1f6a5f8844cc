import HarmonySQLite
import LarderModel

extension StoredValue {
  /// The value that a database holds.
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
  /// The key that a database holds in one column.
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
  /// The key that a database holds in several columns, or in one.
  init(parts: [SQLiteValue]) {
    self = parts.count == 1 ? EntryKey(parts[0]) : .composite(parts.map { EntryKey($0) })
  }
}

extension SQLiteValue {
  /// What a database stores for a value.
  ///
  /// - Throws: ``StoreError`` for types that a database does not have, for what is not a number,
  ///   and for digits that 64 bits do not keep: nothing is converted.
  init(_ value: StoredValue, column: String) throws(StoreError) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number):
      guard !number.isNaN else {
        throw .failed(
          "the column \(column) cannot hold nan, not a number: the database would store null; "
            + "nothing was written")
      }
      self = .real(number)
    case .number(let digits):
      guard value.type == .real, let number = DecimalNumber.real(of: digits) else {
        throw .failed(
          "the column \(column) cannot hold \(digits): numbers in a database have 64 bits; "
            + "nothing was written")
      }
      self = .real(number)
    case .text(let text): self = .text(text)
    case .malformedText(let bytes): self = .malformedText(bytes)
    case .data(let bytes): self = .blob(bytes)
    case .bool, .date, .url, .uuid, .array, .dictionary, .record:
      throw .failed(
        "the column \(column) holds nothing of type \(value.type.rawValue): a database has null, "
          + "integer, real, text and data")
    }
  }

  /// What a database stores for one part of a key; nil for a composite.
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
