import Foundation
public import Harmony

/// A conversion between values of a type and values of a database.
public struct SQLiteCodec<T: Sendable>: Sendable {
  /// Encodes a value for the database, on any thread.
  public let encode: @Sendable (T) throws -> SQLiteValue

  /// Decodes a value of the database, on any thread.
  public let decode: @Sendable (SQLiteValue) throws -> T

  /// Creates a codec from two closures, which must be inverse.
  ///
  /// - Parameters:
  ///   - encode: Encodes a value for the database; its errors fail the write.
  ///   - decode: Decodes a value of the database; its errors fail the read.
  public init(
    encode: @escaping @Sendable (T) throws -> SQLiteValue,
    decode: @escaping @Sendable (SQLiteValue) throws -> T
  ) {
    self.encode = encode
    self.decode = decode
  }

  /// Creates a codec from two mappers, which must be inverse.
  ///
  /// - Parameters:
  ///   - toInMapper: Encodes a value for the database.
  ///   - toOutMapper: Decodes a value of the database.
  public init(toInMapper: Mapper<T, SQLiteValue>, toOutMapper: Mapper<SQLiteValue, T>) {
    self.init {
      try toInMapper.map($0)
    } decode: {
      try toOutMapper.map($0)
    }
  }
}

extension SQLiteCodec where T: SQLiteValueConvertible {
  /// The codec of a type that defines its own representation in a database.
  public static var direct: SQLiteCodec {
    SQLiteCodec {
      try $0.sqliteValue()
    } decode: {
      try T.from(sqliteValue: $0)
    }
  }
}

extension SQLiteCodec where T: Codable {
  /// A codec that stores values as JSON text, which SQLite's JSON functions support.
  ///
  /// Object keys are sorted, so that equal values have equal texts. JSON in a blob can be read too.
  /// Reading a value that is not valid JSON of the type fails with
  /// ``Harmony/CoreError/DataSerialization``.
  public static var json: SQLiteCodec {
    SQLiteCodec { value in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      do {
        return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
      } catch {
        throw CoreError.DataSerialization("Cannot encode \(T.self): \(error)")
      }
    } decode: { value in
      let data: Data
      switch value {
      case .text(let text): data = Data(text.utf8)
      case .blob(let bytes): data = Data(bytes)
      default: throw value.cannotBecome(T.self)
      }
      do {
        return try JSONDecoder().decode(T.self, from: data)
      } catch {
        // The decoder's error may quote the value, which errors must not contain.
        throw value.cannotBecome(T.self)
      }
    }
  }
}

extension SQLiteCodec where T: RawRepresentable, T.RawValue: SQLiteValueConvertible {
  /// A codec that stores raw values.
  public static var rawValue: SQLiteCodec {
    SQLiteCodec {
      try $0.rawValue.sqliteValue()
    } decode: { value in
      guard let result = T(rawValue: try T.RawValue.from(sqliteValue: value)) else {
        throw value.cannotBecome(T.self)
      }
      return result
    }
  }
}

extension SQLiteValue {
  /// The type of the value.
  var type: SQLiteType {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text, .malformedText: .text
    case .blob: .blob
    }
  }

  /// Returns the error of reading a value, which contains only types: the value may be private.
  func cannotBecome<T>(_ target: T.Type) -> CoreError.DataSerialization {
    .wrongType("\(type)", not: target)
  }
}
