public import Foundation

/// A value of a live source, in a form that can be sent to another process.
public indirect enum InspectedValue: Sendable {
  /// A string that is the value itself.
  case text(String)
  /// Data that is the value itself.
  case data(Data)
  /// The JSON of a value of another type.
  case json(String)
  /// The list of a key that contains a list.
  case list([InspectedValue])

  /// The number of bytes of the contents.
  public var size: Int {
    switch self {
    case .text(let text), .json(let text): text.utf8.count
    case .data(let bytes): bytes.count
    case .list(let values): values.reduce(0) { $0 + $1.size }
    }
  }

  /// Returns a prefix of this value.
  ///
  /// - Parameter size: The maximum number of bytes of contents; strings are cut between scalars.
  /// - Returns: This value if it is not longer; a prefix of JSON is a text.
  public func prefix(_ size: Int) -> InspectedValue {
    guard self.size > size else { return self }
    switch self {
    case .text(let text), .json(let text): return .text(text.prefix(bytes: size))
    case .data(let bytes): return .data(Data(bytes.prefix(max(size, 0))))
    case .list(let values):
      var left = size
      var kept: [InspectedValue] = []
      for value in values {
        guard left > 0 else { break }
        kept.append(value.prefix(left))
        left -= value.size
      }
      return .list(kept)
    }
  }
}

extension InspectedValue: Hashable {
  /// Whether both are identical byte by byte: the two spellings of `é` are different texts.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)), (.json(let left), .json(let right)):
      left.utf8.elementsEqual(right.utf8)
    case (.data(let left), .data(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    default: false
    }
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let text), .json(let text): hasher.combine(Array(text.utf8))
    case .data(let bytes): hasher.combine(bytes)
    case .list(let values): hasher.combine(values)
    }
  }
}

extension String {
  /// Returns as many whole scalars as fit into a number of bytes.
  fileprivate func prefix(bytes: Int) -> String {
    guard var end = utf8.index(startIndex, offsetBy: max(bytes, 0), limitedBy: endIndex) else {
      return self
    }
    while end > startIndex, end < endIndex, utf8[end] & 0xC0 == 0x80 {
      end = utf8.index(before: end)
    }
    return String(self[..<end])
  }
}

extension InspectedValue: Codable {
  private enum Key: String, CodingKey, CaseIterable {
    case text, data, json, list
  }

  /// Decodes an object with one member: `text`, `data` in Base64, `json` as a string, or `list`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    switch values.allKeys.first {
    case .text: self = .text(try values.decode(String.self, forKey: .text))
    case .data: self = .data(try values.decode(Data.self, forKey: .data))
    case .json: self = .json(try values.decode(String.self, forKey: .json))
    case .list: self = .list(try values.decode([InspectedValue].self, forKey: .list))
    case nil:
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no kind of value"))
    }
  }

  /// Encodes an object with one member.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .text(let text): try values.encode(text, forKey: .text)
    case .data(let bytes): try values.encode(bytes, forKey: .data)
    case .json(let text): try values.encode(text, forKey: .json)
    case .list(let list): try values.encode(list, forKey: .list)
    }
  }
}
