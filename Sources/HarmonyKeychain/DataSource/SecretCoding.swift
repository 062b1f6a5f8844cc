#if Keychain
import CLibSecret
import Foundation
import Harmony

/// A conversion between values and secrets that other programs can read.
///
/// A string is stored as UTF-8, `Data` as its bytes, and everything else as JSON. A list of values
/// is JSON after a marker, and a value that begins with a marker is stored after another one.
struct SecretCoding<T: Codable> {
  private static var listMark: Data { Data("harmony-list:".utf8) }
  private static var valueMark: Data { Data("harmony-value:".utf8) }

  /// Encodes a value.
  ///
  /// - Throws: ``CoreError/DataSerialization`` if the value cannot be encoded as JSON.
  static func encode(_ value: T) throws -> Data {
    let data: Data
    switch value {
    case let text as String: data = Data(text.utf8)
    case let bytes as Data: data = bytes
    default: data = try json(value)
    }
    return isMarked(data) ? valueMark + data : data
  }

  static func encode(list: [T]) throws -> Data {
    listMark + (try json(list))
  }

  /// Returns the value of a secret.
  ///
  /// - Throws: ``CoreError/NotFound`` if it is a list, and ``CoreError/DataSerialization`` if it is
  ///   not a value of the type.
  static func decode(_ data: Data) throws -> T {
    if data.starts(with: listMark) { throw CoreError.NotFound("There is a list, not one value") }
    let bytes = data.starts(with: valueMark) ? data.dropFirst(valueMark.count) : data
    if T.self == Data.self, let value = Data(bytes) as? T { return value }
    if T.self == String.self {
      guard let value = String(validating: bytes, as: UTF8.self) as? T else { throw unreadable }
      return value
    }
    return try value(bytes)
  }

  /// Returns the list of a secret.
  ///
  /// - Throws: ``CoreError/NotFound`` if it is a single value, and ``CoreError/DataSerialization``
  ///   if it is not a list of the type.
  static func decode(list data: Data) throws -> [T] {
    guard data.starts(with: listMark) else {
      throw CoreError.NotFound("There is one value, not a list")
    }
    return try value(data.dropFirst(listMark.count))
  }

  static func isList(_ data: Data) -> Bool { data.starts(with: listMark) }

  private static func isMarked(_ data: Data) -> Bool {
    data.starts(with: listMark) || data.starts(with: valueMark)
  }

  private static func json<Value: Encodable>(_ value: Value) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try encoder.encode(value)
    } catch {
      throw CoreError.DataSerialization("A value of the type \(T.self) cannot be made JSON")
    }
  }

  private static func value<Value: Decodable>(_ bytes: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(Value.self, from: bytes)
    } catch {
      // The decoder's own error may quote the secret.
      throw unreadable
    }
  }

  private static var unreadable: CoreError.DataSerialization {
    CoreError.DataSerialization("The value of the key is not of the type \(T.self)")
  }
}
#endif
