public import Foundation
import Harmony

extension SQLiteValue: SQLiteValueConvertible {
  /// The value itself; a number that is not one is refused, as SQLite would store null.
  public func sqliteValue() throws -> SQLiteValue {
    if case .real(let number) = self, number.isNaN { return try number.sqliteValue() }
    return self
  }

  /// The value itself.
  public static func from(sqliteValue value: SQLiteValue) throws -> SQLiteValue { value }
}

extension String: SQLiteValueConvertible {
  /// The text, kept byte by byte.
  public func sqliteValue() throws -> SQLiteValue { .text(self) }

  /// The text; nothing else is turned into one.
  public static func from(sqliteValue value: SQLiteValue) throws -> String {
    guard case .text(let text) = value else { throw value.cannotBecome(Self.self) }
    return text
  }
}

extension SQLiteValue {
  /// The number that this one is in another type, if it is the same there.
  fileprivate func number<Number>(
    _ integer: (Int64) -> Number?, _ real: (Double) -> Number?
  ) throws -> Number {
    let number: Number? =
      switch self {
      case .integer(let number): integer(number)
      case .real(let number): real(number)
      default: nil
      }
    guard let number else { throw cannotBecome(Number.self) }
    return number
  }
}

extension SQLiteValueConvertible where Self: BinaryInteger {
  /// The number, if SQLite's 64 bits can hold it.
  public func sqliteValue() throws -> SQLiteValue {
    guard let number = Int64(exactly: self) else {
      throw CoreError.DataSerialization("SQLite's integers have 64 bits with a sign")
    }
    return .integer(number)
  }

  /// The number, also if a column kept it as a floating-point number of the same value.
  public static func from(sqliteValue value: SQLiteValue) throws -> Self {
    try value.number({ Self(exactly: $0) }, { Self(exactly: $0) })
  }
}

extension Int: SQLiteValueConvertible {}
extension Int8: SQLiteValueConvertible {}
extension Int16: SQLiteValueConvertible {}
extension Int32: SQLiteValueConvertible {}
extension Int64: SQLiteValueConvertible {}
extension UInt: SQLiteValueConvertible {}
extension UInt8: SQLiteValueConvertible {}
extension UInt16: SQLiteValueConvertible {}
extension UInt32: SQLiteValueConvertible {}
extension UInt64: SQLiteValueConvertible {}

extension SQLiteValueConvertible where Self: BinaryFloatingPoint {
  /// The number; not-a-number is refused, as SQLite would store null.
  public func sqliteValue() throws -> SQLiteValue {
    guard !isNaN else { throw CoreError.DataSerialization("SQLite cannot store not-a-number") }
    return .real(Double(self))
  }

  /// The number, also if a column kept it as a whole number of the same value.
  public static func from(sqliteValue value: SQLiteValue) throws -> Self {
    try value.number({ Self(exactly: $0) }, { Self(exactly: $0) })
  }
}

extension Double: SQLiteValueConvertible {}
extension Float: SQLiteValueConvertible {}

extension Bool: SQLiteValueConvertible {
  /// The number 1 or 0, as SQLite's own `TRUE` and `FALSE`.
  public func sqliteValue() throws -> SQLiteValue { .integer(self ? 1 : 0) }

  /// True for 1 and false for 0; other numbers are not truth values.
  public static func from(sqliteValue value: SQLiteValue) throws -> Bool {
    switch value {
    case .integer(1): true
    case .integer(0): false
    default: throw value.cannotBecome(Self.self)
    }
  }
}

extension Data: SQLiteValueConvertible {
  /// The bytes as a blob.
  public func sqliteValue() throws -> SQLiteValue { .blob(Array(self)) }

  /// The bytes of a blob; text is not bytes.
  public static func from(sqliteValue value: SQLiteValue) throws -> Data {
    guard case .blob(let bytes) = value else { throw value.cannotBecome(Self.self) }
    return Data(bytes)
  }
}

extension Date: SQLiteValueConvertible {
  /// The seconds since 2001 as a floating-point number, the only one that keeps every date exact.
  ///
  /// In SQL, `datetime(value + 978307200, 'unixepoch')` is the date in words.
  public func sqliteValue() throws -> SQLiteValue {
    try timeIntervalSinceReferenceDate.sqliteValue()
  }

  /// The date of a number of seconds since 2001.
  public static func from(sqliteValue value: SQLiteValue) throws -> Date {
    Date(timeIntervalSinceReferenceDate: try Double.from(sqliteValue: value))
  }
}

extension UUID: SQLiteValueConvertible {
  /// The identifier as text in capitals.
  public func sqliteValue() throws -> SQLiteValue { .text(uuidString) }

  /// The identifier of a text, whatever its case.
  public static func from(sqliteValue value: SQLiteValue) throws -> UUID {
    guard case .text(let text) = value, let id = UUID(uuidString: text) else {
      throw value.cannotBecome(Self.self)
    }
    return id
  }
}

extension URL: SQLiteValueConvertible {
  /// The address as text.
  public func sqliteValue() throws -> SQLiteValue { .text(absoluteString) }

  /// The address of a text.
  public static func from(sqliteValue value: SQLiteValue) throws -> URL {
    guard case .text(let text) = value, let url = URL(string: text) else {
      throw value.cannotBecome(Self.self)
    }
    return url
  }
}
