import Foundation
public import Harmony

/// How values of a type become values of a database, and back.
public struct SQLiteCodec<T: Sendable>: Sendable {
  /// Makes the database's value, on any thread.
  public let encode: @Sendable (T) throws -> SQLiteValue

  /// Makes the value from the database's, on any thread.
  public let decode: @Sendable (SQLiteValue) throws -> T

  /// Creates a codec from two closures, which must be inverse.
  ///
  /// - Parameters:
  ///   - encode: Makes the database's value; its error is that of the write.
  ///   - decode: Makes the value from the database's; its error is that of the read.
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
  ///   - toInMapper: Makes the database's value.
  ///   - toOutMapper: Makes the value from the database's.
  public init(toInMapper: Mapper<T, SQLiteValue>, toOutMapper: Mapper<SQLiteValue, T>) {
    self.init {
      try toInMapper.map($0)
    } decode: {
      try toOutMapper.map($0)
    }
  }
}

extension SQLiteCodec where T: SQLiteValueConvertible {
  /// The codec of a type that says itself how a database holds it.
  public static var direct: SQLiteCodec {
    SQLiteCodec {
      try $0.sqliteValue()
    } decode: {
      try T.from(sqliteValue: $0)
    }
  }
}

extension SQLiteCodec where T: Codable {
  /// A codec that stores values as JSON text, which SQLite's own JSON functions understand.
  ///
  /// Object keys are sorted, so equal values are equal texts. JSON in a blob is read too. A value
  /// that is no JSON of the type is ``Harmony/CoreError/DataSerialization``.
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
        // The error of the decoder may quote the value, which stays out of errors.
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

  /// The error of a value that was read, naming types only: what is stored may be private.
  func cannotBecome<T>(_ target: T.Type) -> CoreError.DataSerialization {
    CoreError.DataSerialization("A stored value of type \(type) cannot be read as \(target)")
  }
}
