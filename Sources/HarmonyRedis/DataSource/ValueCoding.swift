import Foundation
import Harmony

/// A conversion between values and strings of a server that other programs can read.
///
/// Text is stored as UTF-8, `Data` as its bytes, and everything else as JSON. A list of values is
/// JSON after a marker, and a value that begins with a marker is stored after another one.
struct ValueCoding<T: Codable> {
  private static var listMark: [UInt8] { Array("harmony-list:".utf8) }
  private static var valueMark: [UInt8] { Array("harmony-value:".utf8) }

  /// Encodes a value; equal values have equal bytes.
  ///
  /// - Throws: ``CoreError/DataSerialization`` if the value cannot be encoded as JSON.
  static func encode(_ value: T) throws -> [UInt8] {
    let bytes: [UInt8]
    switch value {
    case let text as String: bytes = Array(text.utf8)
    case let data as Data: bytes = Array(data)
    default: bytes = try json(value)
    }
    let isMarked = bytes.starts(with: listMark) || bytes.starts(with: valueMark)
    return isMarked ? valueMark + bytes : bytes
  }

  static func encode(list: [T]) throws -> [UInt8] {
    listMark + (try json(list))
  }

  /// Decodes a value.
  ///
  /// - Throws: ``CoreError/NotFound`` if it is a list, and ``CoreError/DataSerialization`` if it is
  ///   not a value of the type.
  static func decode(_ bytes: [UInt8], of key: String) throws -> T {
    if isList(bytes) { throw CoreError.NotFound.listForValue }
    let bytes = bytes.starts(with: valueMark) ? bytes.dropFirst(valueMark.count) : bytes[...]
    if T.self == Data.self, let value = Data(bytes) as? T { return value }
    if T.self == String.self {
      guard let value = String(validating: bytes, as: UTF8.self) as? T else {
        throw unreadable(key)
      }
      return value
    }
    return try value(bytes, of: key)
  }

  /// Decodes a list.
  ///
  /// - Throws: ``CoreError/NotFound`` if it is a single value, and ``CoreError/DataSerialization``
  ///   if it is not a list of the type.
  static func decode(list bytes: [UInt8], of key: String) throws -> [T] {
    guard isList(bytes) else { throw CoreError.NotFound.valueForList }
    return try value(bytes.dropFirst(listMark.count), of: key)
  }

  static func isList(_ bytes: [UInt8]) -> Bool { bytes.starts(with: listMark) }

  private static func json(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return Array(try encoder.encode(value))
    } catch {
      throw CoreError.DataSerialization("A value of the type \(T.self) cannot be encoded as JSON")
    }
  }

  private static func value<Value: Decodable>(
    _ bytes: ArraySlice<UInt8>, of key: String
  ) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(Value.self, from: Data(bytes))
    } catch {
      // The decoder's own error may quote the value, which may be private.
      throw unreadable(key)
    }
  }

  private static func unreadable(_ key: String) -> CoreError.DataSerialization {
    CoreError.DataSerialization(
      "The value of \(key.debugDescription) is not of the type \(T.self)")
  }
}
