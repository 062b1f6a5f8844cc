import LarderModel

/// Parses values in braces and brackets: `{ a = (b, "c d"); e = <0f>; }`.
struct OpenStepReader {
  private let bytes: [UInt8]
  /// The current offset.
  private(set) var place: Int

  init(_ bytes: [UInt8], at place: Int) {
    self.bytes = bytes
    self.place = place
  }

  /// The byte at the current offset, or nil at the end.
  var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// Whether a non-empty dictionary starts here.
  var isAtDictionary: Bool {
    var reader = self
    guard (try? reader.skipSpace()) != nil, reader.next == UInt8(ascii: "{") else { return false }
    reader.place += 1
    guard (try? reader.skipSpace()) != nil, (try? reader.text()) != nil,
      (try? reader.skipSpace()) != nil
    else { return false }
    return reader.next == UInt8(ascii: "=") || reader.next == UInt8(ascii: ";")
  }

  /// Whether an array starts here, judging by its first element.
  var isAtArray: Bool {
    var reader = self
    guard (try? reader.skipSpace()) != nil, reader.next == UInt8(ascii: "(") else { return false }
    reader.place += 1
    guard (try? reader.skipSpace()) != nil else { return false }
    if reader.isAtDictionary { return true }
    if reader.next == UInt8(ascii: ")") {
      reader.place += 1
      return (try? reader.skipSpace()) != nil && reader.next == nil
    }
    guard (try? reader.value(depth: 1, builds: false)) != nil, (try? reader.skipSpace()) != nil
    else { return false }
    return reader.next == UInt8(ascii: ",") || reader.next == UInt8(ascii: ")")
  }

  /// Whether `name = value;` starts here, as in a strings file.
  var isAtMember: Bool {
    var reader = self
    guard (try? reader.skipSpace()) != nil, (try? reader.text()) != nil,
      (try? reader.skipSpace()) != nil, reader.next == UInt8(ascii: "=")
    else { return false }
    reader.place += 1
    guard (try? reader.value(depth: 1, builds: false)) != nil, (try? reader.skipSpace()) != nil
    else { return false }
    return reader.next == UInt8(ascii: ";")
  }

  /// Returns an error at the current offset.
  func failure(_ problem: SyntaxProblem) -> DocumentError { .xml(problem, in: bytes, at: place) }

  /// Skips whitespace and comments.
  mutating func skipSpace() throws(DocumentError) {
    while let byte = next {
      if byte.isXMLSpace || byte == 0x0B || byte == 0x0C {
        place += 1
      } else if bytes[place...].starts(with: "//".utf8) {
        place = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      } else if bytes[place...].starts(with: "/*".utf8) {
        guard let end = bytes.range(of: ("*/" as StaticString).bytes, from: place + 2) else {
          throw failure(.openComment)
        }
        place = end + 2
      } else {
        return
      }
    }
  }

  /// Parses the value at the current offset.
  ///
  /// - Parameters:
  ///   - depth: The number of enclosing containers.
  ///   - builds: Whether to build the contents of containers.
  /// - Returns: The value; containers are empty unless `builds` is true.
  /// - Throws: ``DocumentError`` with the problem and its position.
  mutating func value(depth: Int, builds: Bool) throws(DocumentError) -> StoredValue {
    guard depth < XMLCursor.maximumDepth else { throw failure(.nestedTooDeeply) }
    try skipSpace()
    switch next {
    case UInt8(ascii: "{"):
      var fields: [StoredValue.Field] = []
      try eachMember(until: UInt8(ascii: "}")) { reader, name, _ throws(DocumentError) in
        let value = try reader.value(depth: depth + 1, builds: builds)
        if builds { fields.append(StoredValue.Field(name, value)) }
      }
      return .dictionary(fields)
    case UInt8(ascii: "("):
      var values: [StoredValue] = []
      try eachElement { reader, _ throws(DocumentError) in
        let value = try reader.value(depth: depth + 1, builds: builds)
        if builds { values.append(value) }
      }
      return .array(values)
    case UInt8(ascii: "<"): return .data(try data())
    default: return .text(try text())
    }
  }

  /// Parses the members of a dictionary, or of a whole file if there is no closing brace.
  mutating func eachMember(
    until end: UInt8?,
    _ body: (inout Self, String, Int) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    if end != nil { place += 1 }
    while true {
      try skipSpace()
      if next == end { break }
      let start = place
      let name = try text()
      try skipSpace()
      if next == UInt8(ascii: "=") {
        place += 1
        try skipSpace()
        try body(&self, name, place)
        try skipSpace()
      } else {
        // A name without a value has itself as its value.
        place = start
        try body(&self, name, start)
        try skipSpace()
      }
      if next == UInt8(ascii: ";") {
        place += 1
      } else if next != end {
        throw failure(.missingSemicolon)
      }
    }
    if end != nil { place += 1 }
  }

  /// Parses the elements of an array.
  mutating func eachElement(
    _ body: (inout Self, Int) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    place += 1
    while true {
      try skipSpace()
      if next == UInt8(ascii: ")") { break }
      try body(&self, place)
      try skipSpace()
      if next == UInt8(ascii: ",") {
        place += 1
      } else if next != UInt8(ascii: ")") {
        throw failure(.missingComma)
      }
    }
    place += 1
  }

  private mutating func data() throws(DocumentError) -> [UInt8] {
    place += 1
    var content: [UInt8] = []
    var high: UInt8?
    while let byte = next, byte != UInt8(ascii: ">") {
      if !byte.isXMLSpace {
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
          throw failure(.notHexadecimal)
        }
        if let first = high {
          content.append(first << 4 | UInt8(digit))
          high = nil
        } else {
          high = UInt8(digit)
        }
      }
      place += 1
    }
    guard next != nil, high == nil else { throw failure(.truncatedData) }
    place += 1
    return content
  }

  private mutating func text() throws(DocumentError) -> String {
    if let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      return try quoted(quote)
    }
    let start = place
    while let byte = next, Self.isPlain(byte) { place += 1 }
    guard start < place else { throw failure(.valueExpected) }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      true
    default: "_$/:.-+".utf8.contains(byte)
    }
  }

  private mutating func quoted(_ quote: UInt8) throws(DocumentError) -> String {
    place += 1
    // Escapes are UTF-16 code units.
    var units: [UInt16] = []
    var start = place
    while let byte = next {
      if byte == quote || byte == UInt8(ascii: "\\") {
        units += Array(String(decoding: bytes[start..<place], as: UTF8.self).utf16)
        place += 1
        if byte == quote { return String(decoding: units, as: UTF16.self) }
        units.append(try escape())
        start = place
      } else {
        place += 1
      }
    }
    throw failure(.openString)
  }

  private mutating func escape() throws(DocumentError) -> UInt16 {
    guard let byte = next else { throw failure(.openString) }
    if byte == UInt8(ascii: "U") || byte == UInt8(ascii: "u") {
      place += 1
      return number(4, radix: 16)
    }
    if UInt8(ascii: "0")...UInt8(ascii: "7") ~= byte { return number(3, radix: 8) }
    place += 1
    switch byte {
    case UInt8(ascii: "a"): return 0x07
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "v"): return 0x0B
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "r"): return 0x0D
    case 0..<0x80: return UInt16(byte)
    default: throw failure(.unknownEscape)
    }
  }

  private mutating func number(_ digits: Int, radix: Int) -> UInt16 {
    var number: UInt16 = 0
    for _ in 0..<digits {
      guard let byte = next, byte < 0x80,
        let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix
      else { break }
      number = number &* UInt16(radix) &+ UInt16(digit)
      place += 1
    }
    return number
  }
}
