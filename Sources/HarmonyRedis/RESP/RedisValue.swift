/// A reply of a Redis server, the same for both versions of the protocol.
///
/// Maps and sets are read as flat arrays, booleans as 0 and 1, and large numbers and verbatim
/// strings as bytes, so that callers need not know whether the server speaks RESP2 or RESP3.
public enum RedisValue: Sendable, Hashable {
  /// No value, such as the reply to `GET` for a missing key.
  case null
  /// A short reply of the server, such as `OK`.
  case status(String)
  /// A string, which may contain any bytes.
  case bytes([UInt8])
  /// An integer.
  case integer(Int64)
  /// A floating-point number.
  case double(Double)
  /// A list, set or map; the keys of a map alternate with their values.
  case array([RedisValue])
  /// An error of the server.
  indirect case failure(RedisServerError)

  /// The bytes of a string or status; nil for other values.
  public var bytes: [UInt8]? {
    switch self {
    case .bytes(let bytes): bytes
    case .status(let text): Array(text.utf8)
    case .null, .integer, .double, .array, .failure: nil
    }
  }

  /// The text of a string or status; nil for other values and for bytes that are not UTF-8.
  public var text: String? {
    bytes.flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The integer, also if it was sent as a string; nil for other values.
  public var integer: Int64? {
    if case .integer(let number) = self { return number }
    return text.flatMap { Int64($0) }
  }

  /// The elements of an array; nil for other values.
  public var elements: [RedisValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// Whether there is no value.
  public var isNull: Bool { self == .null }

  /// Returns the value of a key in a map with text keys; nil if there is none.
  ///
  /// - Parameter key: The key.
  public subscript(key: String) -> RedisValue? {
    guard let elements else { return nil }
    for index in stride(from: 0, to: elements.count - 1, by: 2)
    where elements[index].text == key { return elements[index + 1] }
    return nil
  }
}

/// An error that a Redis server sent.
public struct RedisServerError: Sendable, Hashable {
  /// The first word of the error, such as `WRONGTYPE`; `ERR` if it has none.
  public let code: String

  /// The rest of the error.
  ///
  /// It contains neither control characters nor the password. Servers before version 7 repeat the
  /// arguments of an unknown command, which are removed because they may be private.
  public let message: String

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The first word of the error.
  ///   - message: The rest of the error.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  /// Parses the text of an error.
  init(_ line: [UInt8], hiding secret: [UInt8]?) {
    let text = String(decoding: line.prefix(1_024), as: UTF8.self)
    let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let isCode = words.first.map { word in
      (1...32).contains(word.utf8.count)
        && word.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) || $0 == 95 }
    }
    var rest = isCode == true ? words.dropFirst().first ?? "" : Substring(text)
    if let echo = rest.firstRange(of: ", with args") { rest = rest[..<echo.lowerBound] }
    let visible = String(
      String.UnicodeScalarView(
        rest.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    let word = isCode == true ? String(words.first ?? "ERR") : "ERR"
    // A redirection contains only an address, which may look like the password.
    let isSecret =
      word != "MOVED" && word != "ASK"
      && secret.map { !$0.isEmpty && Array("\(word) \(rest)".utf8).firstRange(of: $0) != nil }
        ?? false
    code = isSecret ? "ERR" : word
    message = isSecret ? Self.hidden : visible
  }
}
