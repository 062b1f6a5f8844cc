import HarmonySQLite
import LarderCore

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
      guard value.type == .real, let number = Double(digits), number.isFinite,
        let decimal = DecimalNumber(digits), decimal == DecimalNumber(number.description)
      else {
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

/// The number that digits with a point or an exponent stand for, however they are spelled.
private struct DecimalNumber: Equatable {
  let isNegative: Bool
  /// The digits between the first and the last that are not 0; none for 0.
  let digits: [UInt8]
  /// By what power of ten the first of them counts, 0 where there are none.
  let exponent: Int

  /// Reads digits; nil where their exponent is none.
  init?(_ text: String) {
    let parts = text.utf8.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { "eE".utf8.contains($0) })
    guard let mantissa = parts.first,
      let power = parts.count > 1 ? Int(Substring(parts[1])) : 0
    else { return nil }
    isNegative = mantissa.first == UInt8(ascii: "-")
    let unsigned = mantissa.drop { "+-".utf8.contains($0) }
    let whole = unsigned.prefix { $0 != UInt8(ascii: ".") }
    let all = Array(whole) + unsigned.dropFirst(whole.count + 1)
    guard let first = all.firstIndex(where: { $0 != UInt8(ascii: "0") }),
      let last = all.lastIndex(where: { $0 != UInt8(ascii: "0") })
    else {
      (digits, exponent) = ([], 0)
      return
    }
    digits = Array(all[first...last])
    let (sum, isTooGreat) = power.addingReportingOverflow(whole.count - first)
    guard !isTooGreat else { return nil }
    exponent = sum
  }
}
