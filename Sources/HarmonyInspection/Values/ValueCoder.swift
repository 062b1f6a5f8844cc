import Foundation
import Harmony

/// A conversion between values of a type and the form that is sent to another process.
struct ValueCoder<T: Sendable>: Sendable {
  let encode: @Sendable (T) throws -> InspectedValue
  let decode: @Sendable (InspectedValue) throws -> T
}

extension ValueCoder where T == String {
  /// A coder for strings, which are sent as text.
  static var text: ValueCoder {
    ValueCoder {
      .text($0)
    } decode: { value in
      guard case .text(let text) = value else {
        throw CoreError.IllegalArgument.wrongKind(value, not: "a string")
      }
      return text
    }
  }
}

extension ValueCoder where T == Data {
  /// A coder for data, which is sent as it is.
  static var data: ValueCoder {
    ValueCoder {
      .data($0)
    } decode: { value in
      switch value {
      case .data(let bytes): return bytes
      case .text(let text): return Data(text.utf8)
      case .json, .list: throw CoreError.IllegalArgument.wrongKind(value, not: "data")
      }
    }
  }
}

extension ValueCoder where T: Codable {
  /// A coder for all types, which are sent as JSON; a text is decoded as JSON.
  static var json: ValueCoder {
    ValueCoder { value in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      // Otherwise a number that JSON cannot represent would make the whole value unreadable.
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      return .json(String(decoding: try encoder.encode(value), as: UTF8.self))
    } decode: { value in
      switch value {
      case .json(let text), .text(let text): return try decode(Data(text.utf8))
      case .data(let bytes): return try decode(bytes)
      case .list: throw CoreError.IllegalArgument.wrongKind(value, not: "one value")
      }
    }
  }

  private static func decode(_ json: Data) throws -> T {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(T.self, from: json)
    } catch let error as DecodingError {
      throw CoreError.IllegalArgument(error.sentence(for: T.self))
    }
  }
}

extension InspectedValue {
  /// The kind of the value, as worded in errors.
  var kind: String {
    switch self {
    case .text: "a string"
    case .data: "data"
    case .json: "JSON"
    case .list: "a list"
    }
  }
}

extension DecodingError.Context {
  var place: String {
    guard !codingPath.isEmpty else { return "the value " }
    let path = codingPath.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
    return path.joined(separator: ".") + " "
  }
}
