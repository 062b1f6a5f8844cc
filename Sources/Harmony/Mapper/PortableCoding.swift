package import Foundation

/// A conversion between values and bytes that other programs can read.
///
/// Text is stored as UTF-8, `Data` as its bytes, and everything else as JSON. A list of values is
/// JSON after a marker, and a value that begins with a marker is stored after another one.
package struct PortableCoding<T: Codable> {
  private static var listMark: Data { Data("harmony-list:".utf8) }
  private static var valueMark: Data { Data("harmony-value:".utf8) }

  /// Encodes a value; equal values have equal bytes.
  ///
  /// - Throws: ``CoreError/DataSerialization`` if the value cannot be encoded as JSON.
  package static func encode(_ value: T) throws -> Data {
    let data: Data
    switch value {
    case let text as String: data = Data(text.utf8)
    case let bytes as Data: data = bytes
    default: data = try json(value)
    }
    let isMarked = data.starts(with: listMark) || data.starts(with: valueMark)
    return isMarked ? valueMark + data : data
  }

  /// Encodes a list.
  ///
  /// - Throws: ``CoreError/DataSerialization`` if a value cannot be encoded as JSON.
  package static func encode(list: [T]) throws -> Data {
    listMark + (try json(list))
  }

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - key: The key to name in the error; nil to name none.
  /// - Returns: The value.
  /// - Throws: ``CoreError/NotFound`` if it is a list, and ``CoreError/DataSerialization`` if it is
  ///   not a value of the type.
  package static func decode(_ data: Data, of key: String? = nil) throws -> T {
    if isList(data) { throw CoreError.NotFound.listForValue }
    let bytes = data.starts(with: valueMark) ? data.dropFirst(valueMark.count) : data
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
  /// - Parameters:
  ///   - data: The bytes.
  ///   - key: The key to name in the error; nil to name none.
  /// - Returns: The values.
  /// - Throws: ``CoreError/NotFound`` if it is a single value, and ``CoreError/DataSerialization``
  ///   if it is not a list of the type.
  package static func decode(list data: Data, of key: String? = nil) throws -> [T] {
    guard isList(data) else { throw CoreError.NotFound.valueForList }
    return try value(data.dropFirst(listMark.count), of: key)
  }

  /// Returns whether bytes are those of a list.
  package static func isList(_ data: Data) -> Bool { data.starts(with: listMark) }

  private static func json(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try encoder.encode(value)
    } catch {
      throw CoreError.DataSerialization.notJSON(T.self)
    }
  }

  private static func value<Value: Decodable>(_ bytes: Data, of key: String?) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(Value.self, from: bytes)
    } catch {
      // The decoder's own error may quote the value, which may be private.
      throw unreadable(key)
    }
  }

  private static func unreadable(_ key: String?) -> CoreError.DataSerialization {
    .wrongType(key, not: T.self)
  }
}
