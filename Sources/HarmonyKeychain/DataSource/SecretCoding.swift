#if Keychain
import CLibSecret
import Foundation
import Harmony

/// How values become secrets that other programs can read, and back.
///
/// A text is its UTF-8, `Data` its bytes, and everything else JSON. A list of values is JSON behind
/// a word that says so, and a value that begins with such a word has another before it.
struct SecretCoding<T: Codable> {
  private static var listMark: Data { Data("harmony-list:".utf8) }
  private static var valueMark: Data { Data("harmony-value:".utf8) }

  /// - Throws: ``CoreError/DataSerialization`` where the value has no JSON.
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

  /// The value of a secret.
  ///
  /// - Throws: ``CoreError/NotFound`` where it is a list, and ``CoreError/DataSerialization`` where
  ///   it is no value of the type.
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

  /// The list of a secret.
  ///
  /// - Throws: ``CoreError/NotFound`` where it is one value, and ``CoreError/DataSerialization``
  ///   where it is no list of the type.
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
      // Not the decoder's words: they may quote the secret.
      throw unreadable
    }
  }

  private static var unreadable: CoreError.DataSerialization {
    CoreError.DataSerialization("The value of the key is not of the type \(T.self)")
  }
}
#endif
