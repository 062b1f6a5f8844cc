import Foundation
import Harmony

/// How values of a type go to another process and come back.
struct ValueCoder<T: Sendable>: Sendable {
  let encode: @Sendable (T) throws -> InspectedValue
  let decode: @Sendable (InspectedValue) throws -> T

  /// Refuses a value of another kind.
  static func refuse(_ value: InspectedValue, _ wanted: String) -> CoreError.IllegalArgument {
    CoreError.IllegalArgument("\(value.kind) was given where \(wanted) is stored")
  }
}

extension ValueCoder where T == String {
  /// Texts, as they are.
  static var text: ValueCoder {
    ValueCoder {
      .text($0)
    } decode: { value in
      guard case .text(let text) = value else { throw refuse(value, "a text") }
      return text
    }
  }
}

extension ValueCoder where T == Data {
  /// Bytes, as they are.
  static var data: ValueCoder {
    ValueCoder {
      .data($0)
    } decode: { value in
      switch value {
      case .data(let bytes): return bytes
      case .text(let text): return Data(text.utf8)
      case .json, .list: throw refuse(value, "data")
      }
    }
  }
}

extension ValueCoder where T: Codable {
  /// Values of any type, as JSON; a given text is taken for its JSON.
  static var json: ValueCoder {
    ValueCoder { value in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      // What JSON has no numbers for would make the whole value unreadable.
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      return .json(String(decoding: try encoder.encode(value), as: UTF8.self))
    } decode: { value in
      switch value {
      case .json(let text), .text(let text): return try decode(Data(text.utf8))
      case .data(let bytes): return try decode(bytes)
      case .list: throw refuse(value, "one value")
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
  /// What this is, in a word or two.
  var kind: String {
    switch self {
    case .text: "a text"
    case .data: "data"
    case .json: "JSON"
    case .list: "a list"
    }
  }
}

extension DecodingError {
  /// What is wrong where, for somebody who has typed the JSON.
  func sentence(for type: Any.Type) -> String {
    switch self {
    case .typeMismatch(let wanted, let context):
      "\(context.place)is not of the type \(wanted)"
    case .valueNotFound(let wanted, let context):
      "\(context.place)is null where \(wanted) is stored"
    case .keyNotFound(let key, let context):
      "\(context.place)has no member \(key.stringValue), which \(type) needs"
    case .dataCorrupted(let context):
      "\(context.place)is not valid: \(context.debugDescription)"
    @unknown default:
      "the value is not of the type \(type)"
    }
  }
}

extension DecodingError.Context {
  fileprivate var place: String {
    guard !codingPath.isEmpty else { return "the value " }
    let path = codingPath.map { key in key.intValue.map { "[\($0)]" } ?? key.stringValue }
    return path.joined(separator: ".") + " "
  }
}
