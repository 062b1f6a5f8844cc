/// Reads JSON into values, keeping the order and the repetition of names.
///
/// Whole numbers that fit become integers, others reals; a number that would be written in other
/// digits than these is kept as it is. The forms that ``JSONText`` writes
/// for types that JSON does not have are read back as those types. Depth is bounded, so that
/// hostile input cannot exhaust the stack.
package struct JSONParser {
  /// What is wrong with a text that is not JSON, and where.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was found or is missing.
    package let reason: String
    /// The line, from 1.
    package let line: Int
    /// The column in bytes, from 1.
    package let column: Int

    /// The reason with its place.
    package var description: String { "\(reason) at line \(line), column \(column)" }
  }

  private static let greatestDepth = 512
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  /// Reads one value from the bytes of a JSON text.
  ///
  /// - Parameters:
  ///   - bytes: UTF-8, with or without a byte order mark.
  ///   - readsTypes: Whether objects such as `{"base64": …}` stand for other types.
  ///   - isTopPlain: Whether the outermost object is one whatever it looks like.
  /// - Returns: The value.
  /// - Throws: What is not JSON about the text, and where.
  package static func parse(
    _ bytes: some Sequence<UInt8>, readsTypes: Bool = true, isTopPlain: Bool = false
  ) throws(Failure) -> StoredValue {
    var parser = JSONParser(bytes: Array(bytes))
    if parser.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.place = 3 }
    let value = try parser.value()
    parser.skipSpace()
    if parser.place < parser.bytes.count {
      throw parser.failure("something follows the value")
    }
    return readsTypes ? TypedJSON.typed(value, isPlain: isTopPlain) : value
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func failure(_ reason: String) -> Failure {
    let before = bytes[..<min(place, bytes.count)]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return Failure(reason: reason, line: line, column: before.endIndex - start + 1)
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      place += 1
    }
  }

  private mutating func value() throws(Failure) -> StoredValue {
    skipSpace()
    guard let byte = next else { throw failure("the text ends where a value should be") }
    switch byte {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw failure("a value should be here")
    }
  }

  private mutating func word(_ word: String, _ value: StoredValue) throws(Failure) -> StoredValue {
    guard bytes[place...].starts(with: word.utf8) else {
      throw failure("a value should be here")
    }
    place += word.utf8.count
    return value
  }

  private mutating func number() throws(Failure) -> StoredValue {
    let start = place
    if next == UInt8(ascii: "-") { place += 1 }
    let first = next
    guard takeDigits() > 0 else { throw failure("a digit is missing") }
    if first == UInt8(ascii: "0"), place - start > (bytes[start] == UInt8(ascii: "-") ? 2 : 1) {
      throw failure("a number does not start with 0")
    }
    if next == UInt8(ascii: ".") {
      place += 1
      guard takeDigits() > 0 else { throw failure("a digit is missing after the point") }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      place += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
      guard takeDigits() > 0 else { throw failure("a digit is missing in the exponent") }
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    return StoredValue(digits: text)
  }

  private mutating func takeDigits() -> Int {
    let start = place
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { place += 1 }
    return place - start
  }

  private mutating func array() throws(Failure) -> StoredValue {
    try enter()
    var values: [StoredValue] = []
    while try !closes(with: UInt8(ascii: "]"), isFirst: values.isEmpty) {
      values.append(try value())
    }
    depth -= 1
    return .array(values)
  }

  private mutating func object() throws(Failure) -> StoredValue {
    try enter()
    var fields: [StoredValue.Field] = []
    while try !closes(with: UInt8(ascii: "}"), isFirst: fields.isEmpty) {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("a name in quotes should be here") }
      let name = try string()
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw failure("a colon is missing after the name") }
      place += 1
      fields.append(StoredValue.Field(name, try value()))
    }
    depth -= 1
    return .dictionary(fields)
  }

  private mutating func enter() throws(Failure) {
    place += 1
    depth += 1
    guard depth <= Self.greatestDepth else { throw failure("the value is nested too deeply") }
  }

  /// Steps over the closing bracket, or over the comma before the next element.
  private mutating func closes(with bracket: UInt8, isFirst: Bool) throws(Failure) -> Bool {
    skipSpace()
    if next == bracket {
      place += 1
      return true
    }
    if isFirst { return false }
    guard next == UInt8(ascii: ",") else { throw failure("a comma is missing") }
    place += 1
    skipSpace()
    if next == bracket { throw failure("a comma stands before the end") }
    return false
  }

  private mutating func string() throws(Failure) -> String {
    place += 1
    var content: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: content, as: UTF8.self) else {
          throw failure("a text is not UTF-8")
        }
        place += 1
        return text
      case UInt8(ascii: "\\"):
        place += 1
        try escape(into: &content)
      case 0..<0x20: throw failure("a control character is not escaped")
      default:
        content.append(byte)
        place += 1
      }
    }
    throw failure("a text has no closing quote")
  }

  private mutating func escape(into content: inout [UInt8]) throws(Failure) {
    guard let byte = next else { throw failure("a text has no closing quote") }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"):
      var code = try codeUnit()
      if 0xD800..<0xDC00 ~= code {
        guard bytes[min(place, bytes.count)...].starts(with: "\\u".utf8) else {
          throw failure("half of a surrogate pair is missing")
        }
        place += 2
        let low = try codeUnit()
        guard 0xDC00..<0xE000 ~= low else {
          throw failure("half of a surrogate pair is missing")
        }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else {
        throw failure("half of a surrogate pair is missing")
      }
      content.append(contentsOf: String(Character(scalar)).utf8)
    default: throw failure("an escape is not one of JSON's")
    }
  }

  private mutating func codeUnit() throws(Failure) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("four hexadecimal digits should follow \\u")
      }
      code = code << 4 | UInt32(digit)
      place += 1
    }
    return code
  }
}
