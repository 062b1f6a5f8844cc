/// Scans the bytes of a JSON text token by token, without creating values.
///
/// The strict mode follows RFC 8259. The lenient mode also accepts what editors and programs put
/// into their settings: comments, trailing commas, `NaN` and infinities, and text with half of a
/// surrogate pair or invalid UTF-8. Both modes limit the nesting.
package struct JSONScanner {
  /// The maximum nesting, so that hostile input cannot exhaust the stack.
  package static let maximumDepth = 512

  /// The whole text, even if only a part of it is scanned.
  package let bytes: [UInt8]
  /// Whether to accept more than RFC 8259 allows.
  let isLenient: Bool
  /// The offset of the next byte.
  package var place: Int
  /// The nesting level of the next byte.
  package var depth = 0
  /// Whether a number that is not finite was skipped.
  package private(set) var hasNonFinite = false

  /// Creates a scanner at an offset; a byte order mark at the start of the text is skipped.
  package init(_ bytes: [UInt8], at place: Int = 0, isLenient: Bool) {
    self.bytes = bytes
    self.isLenient = isLenient
    self.place = place == 0 && bytes.starts(with: Self.byteOrderMark) ? 3 : place
  }

  /// The UTF-8 byte order mark, which some programs write.
  package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The next byte, or nil at the end.
  package var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// Returns a failure at the current position.
  package func failure(_ problem: SyntaxProblem) -> JSONParser.Failure {
    failure(problem, at: place)
  }

  /// Returns a failure at the given offset.
  package func failure(_ problem: SyntaxProblem, at place: Int) -> JSONParser.Failure {
    let before = bytes[..<min(place, bytes.count)]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return JSONParser.Failure(
      problem: problem, line: line, column: before.endIndex - start + 1)
  }

  /// Skips white space, and in lenient mode also comments.
  package mutating func skipSpace() throws(JSONParser.Failure) {
    while place < bytes.count {
      switch bytes[place] {
      case 0x20, 0x0A, 0x0D, 0x09: place += 1
      case UInt8(ascii: "/") where isLenient:
        guard try skipComment() else { return }
      default: return
      }
    }
  }

  /// Skips a comment.
  ///
  /// - Returns: Whether there was one.
  package mutating func skipComment() throws(JSONParser.Failure) -> Bool {
    let start = place
    guard start + 1 < bytes.count else { return false }
    switch bytes[start + 1] {
    case UInt8(ascii: "/"):
      while let byte = next, byte != 0x0A, byte != 0x0D { place += 1 }
      return true
    case UInt8(ascii: "*"):
      place += 2
      while place + 1 < bytes.count {
        if bytes[place] == UInt8(ascii: "*"), bytes[place + 1] == UInt8(ascii: "/") {
          place += 2
          return true
        }
        place += 1
      }
      throw failure(.openComment, at: start)
    default: return false
    }
  }

  /// Skips an opening bracket.
  package mutating func enter() throws(JSONParser.Failure) {
    place += 1
    depth += 1
    guard depth <= Self.maximumDepth else { throw failure(.nestedTooDeeply) }
  }

  /// Skips the closing bracket, or the comma before the next element.
  ///
  /// - Returns: Whether the object or array ended.
  mutating func closes(
    with bracket: UInt8, isFirst: Bool
  ) throws(JSONParser.Failure) -> Bool {
    try skipSpace()
    if !isFirst, next != bracket {
      guard next == UInt8(ascii: ",") else { throw failure(.missingComma) }
      place += 1
      try skipSpace()
      if !isLenient, next == bracket { throw failure(.trailingComma) }
    }
    guard next == bracket else { return false }
    place += 1
    depth -= 1
    return true
  }

  /// Skips the colon before the value of a member.
  package mutating func skipColon() throws(JSONParser.Failure) {
    try skipSpace()
    guard next == UInt8(ascii: ":") else { throw failure(.missingColon) }
    place += 1
    try skipSpace()
  }

  /// Skips a word if it is at the current position.
  package mutating func skip(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard count <= bytes.count - place else { return false }
    let isHere = word.withUTF8Buffer { bytes[place..<(place + count)].elementsEqual($0) }
    if isHere { place += count }
    return isHere
  }

  /// Skips and validates a number.
  ///
  /// - Returns: The range of its digits.
  package mutating func number() throws(JSONParser.Failure) -> Range<Int> {
    let start = place
    if next == UInt8(ascii: "-") { place += 1 }
    let first = place
    guard skipDigits() > 0 else { throw failure(.missingDigit) }
    if bytes[first] == UInt8(ascii: "0"), place - first > 1 {
      throw failure(.leadingZero)
    }
    if next == UInt8(ascii: ".") {
      place += 1
      guard skipDigits() > 0 else { throw failure(.missingFraction) }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      place += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
      guard skipDigits() > 0 else { throw failure(.missingExponent) }
    }
    return start..<place
  }

  private mutating func skipDigits() -> Int {
    let start = place
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { place += 1 }
    return place - start
  }

  /// Skips a number that is not finite, which is allowed in lenient mode.
  ///
  /// - Returns: The number, or nil if there is none at the current position.
  package mutating func nonFinite() -> Double? {
    guard isLenient else { return nil }
    let number: Double? =
      skip("NaN") ? .nan : skip("Infinity") ? .infinity : skip("-Infinity") ? -.infinity : nil
    if number != nil { hasNonFinite = true }
    return number
  }
}
