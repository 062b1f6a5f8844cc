public import Foundation

/// A value of a live source, as it goes from one process to the other.
public indirect enum InspectedValue: Sendable {
  /// A text that is the value itself.
  case text(String)
  /// Bytes that are the value itself.
  case data(Data)
  /// The JSON of a value of any other type.
  case json(String)
  /// What a key holds that holds a list.
  case list([InspectedValue])

  /// The number of bytes of the contents.
  public var size: Int {
    switch self {
    case .text(let text), .json(let text): text.utf8.count
    case .data(let bytes): bytes.count
    case .list(let values): values.reduce(0) { $0 + $1.size }
    }
  }

  /// The beginning of this value.
  ///
  /// - Parameter size: How many bytes of contents to keep; texts are cut between scalars.
  /// - Returns: This value, if it is no longer; the beginning of a cut JSON is a text.
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
  /// Whether both are the same, byte by byte: the two spellings of `é` are different texts.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)), (.json(let left), .json(let right)):
      left.utf8.elementsEqual(right.utf8)
    case (.data(let left), .data(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    default: false
    }
  }

  /// Feeds the bytes to the hasher.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let text), .json(let text): hasher.combine(Array(text.utf8))
    case .data(let bytes): hasher.combine(bytes)
    case .list(let values): hasher.combine(values)
    }
  }
}

extension String {
  /// As many whole scalars from the start as take no more than so many bytes.
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

  /// Reads an object with one member: `text`, `data` in Base64, `json` as a text, or `list`.
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

  /// Writes an object with one member.
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
