public import Foundation
import Harmony

extension SQLiteValue: SQLiteValueConvertible {
  /// Returns the value itself; throws for NaN, which SQLite would store as null.
  public func sqliteValue() throws -> SQLiteValue {
    if case .real(let number) = self, number.isNaN { return try number.sqliteValue() }
    return self
  }

  /// Returns the value itself.
  public static func from(sqliteValue value: SQLiteValue) throws -> SQLiteValue { value }
}

extension String: SQLiteValueConvertible {
  /// Returns the string as text, byte by byte.
  public func sqliteValue() throws -> SQLiteValue { .text(self) }

  /// Returns the string of a text; throws for other types.
  public static func from(sqliteValue value: SQLiteValue) throws -> String {
    guard case .text(let text) = value else { throw value.cannotBecome(Self.self) }
    return text
  }
}

extension SQLiteValue {
  /// Returns the number in another type; throws if its value would change.
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
  /// Returns the number as an integer; throws if it exceeds 64 bits.
  public func sqliteValue() throws -> SQLiteValue {
    guard let number = Int64(exactly: self) else {
      throw CoreError.DataSerialization.wideInteger
    }
    return .integer(number)
  }

  /// Returns the number, which may also be stored as an equal floating-point number.
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
  /// Returns the number; throws for NaN, which SQLite would store as null.
  public func sqliteValue() throws -> SQLiteValue {
    guard !isNaN else { throw CoreError.DataSerialization.notANumber }
    return .real(Double(self))
  }

  /// Returns the number, which may also be stored as an equal integer.
  public static func from(sqliteValue value: SQLiteValue) throws -> Self {
    try value.number({ Self(exactly: $0) }, { Self(exactly: $0) })
  }
}

extension Double: SQLiteValueConvertible {}
extension Float: SQLiteValueConvertible {}

extension Bool: SQLiteValueConvertible {
  /// Returns 1 or 0, like SQLite's `TRUE` and `FALSE`.
  public func sqliteValue() throws -> SQLiteValue { .integer(self ? 1 : 0) }

  /// Returns true for 1 and false for 0; throws for other values.
  public static func from(sqliteValue value: SQLiteValue) throws -> Bool {
    switch value {
    case .integer(1): true
    case .integer(0): false
    default: throw value.cannotBecome(Self.self)
    }
  }
}

extension Data: SQLiteValueConvertible {
  /// Returns the bytes as a blob.
  public func sqliteValue() throws -> SQLiteValue { .blob(Array(self)) }

  /// Returns the bytes of a blob; throws for other types.
  public static func from(sqliteValue value: SQLiteValue) throws -> Data {
    guard case .blob(let bytes) = value else { throw value.cannotBecome(Self.self) }
    return Data(bytes)
  }
}

extension Date: SQLiteValueConvertible {
  /// Returns the seconds since 2001 as a floating-point number, which represents every date
  /// exactly.
  ///
  /// In SQL, `datetime(value + 978307200, 'unixepoch')` formats the date.
  public func sqliteValue() throws -> SQLiteValue {
    try timeIntervalSinceReferenceDate.sqliteValue()
  }

  /// Returns the date of a number of seconds since 2001.
  public static func from(sqliteValue value: SQLiteValue) throws -> Date {
    Date(timeIntervalSinceReferenceDate: try Double.from(sqliteValue: value))
  }
}

extension UUID: SQLiteValueConvertible {
  /// Returns the UUID as uppercase text.
  public func sqliteValue() throws -> SQLiteValue { .text(uuidString) }

  /// Returns the UUID of a text in either case.
  public static func from(sqliteValue value: SQLiteValue) throws -> UUID {
    guard case .text(let text) = value, let id = UUID(uuidString: text) else {
      throw value.cannotBecome(Self.self)
    }
    return id
  }
}

extension URL: SQLiteValueConvertible {
  /// Returns the absolute URL as text.
  public func sqliteValue() throws -> SQLiteValue { .text(absoluteString) }

  /// Returns the URL of a text.
  public static func from(sqliteValue value: SQLiteValue) throws -> URL {
    guard case .text(let text) = value, let url = URL(string: text) else {
      throw value.cannotBecome(Self.self)
    }
    return url
  }
}
