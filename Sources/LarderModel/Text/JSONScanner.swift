/// Goes over the bytes of a JSON text, token by token, without making values of them.
///
/// The strict form is RFC 8259's. The lenient one also takes what editors and programs leave in
/// their settings: comments, a comma before the end of a list, `NaN` and infinities, and text that
/// holds half of a surrogate pair or is not UTF-8. Neither nests deeper than a bound.
package struct JSONScanner {
  /// How deep lists may lie in each other, so that hostile bytes cannot exhaust the stack.
  package static let maximumDepth = 512

  /// The whole text, also where only a part of it is gone over.
  package let bytes: [UInt8]
  /// Whether more is taken than RFC 8259 allows.
  let isLenient: Bool
  /// The place of the next byte.
  package var place: Int
  /// How many lists the next byte lies in.
  package var depth = 0
  /// Whether a number that is none was stepped over.
  package private(set) var hasNonFinite = false

  /// Starts at a place; a mark of the byte order at the very start is stepped over.
  package init(_ bytes: [UInt8], at place: Int = 0, isLenient: Bool) {
    self.bytes = bytes
    self.isLenient = isLenient
    self.place = place == 0 && bytes.starts(with: Self.byteOrderMark) ? 3 : place
  }

  /// What some programs begin UTF-8 with.
  package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The next byte, nil at the end.
  package var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// What is wrong at the current place.
  package func failure(_ reason: String) -> JSONParser.Failure {
    failure(reason, at: place)
  }

  /// What is wrong at a place.
  package func failure(_ reason: String, at place: Int) -> JSONParser.Failure {
    let before = bytes[..<min(place, bytes.count)]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return JSONParser.Failure(
      reason: reason, line: line, column: before.endIndex - start + 1)
  }

  /// Steps over white space, and over comments in the lenient form.
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

  /// Steps over a comment.
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
      throw failure("a comment has no end", at: start)
    default: return false
    }
  }

  /// Steps into a list.
  package mutating func enter() throws(JSONParser.Failure) {
    place += 1
    depth += 1
    guard depth <= Self.maximumDepth else { throw failure("the value is nested too deeply") }
  }

  /// Steps over the closing bracket, or over the comma before the next element.
  ///
  /// - Returns: Whether the list ended.
  mutating func closes(
    with bracket: UInt8, isFirst: Bool
  ) throws(JSONParser.Failure) -> Bool {
    try skipSpace()
    if !isFirst, next != bracket {
      guard next == UInt8(ascii: ",") else { throw failure("a comma is missing") }
      place += 1
      try skipSpace()
      if !isLenient, next == bracket { throw failure("a comma stands before the end") }
    }
    guard next == bracket else { return false }
    place += 1
    depth -= 1
    return true
  }

  /// Steps over what has to be in front of the value of a member.
  package mutating func skipColon() throws(JSONParser.Failure) {
    try skipSpace()
    guard next == UInt8(ascii: ":") else { throw failure("a colon is missing after the name") }
    place += 1
    try skipSpace()
  }

  /// Steps over a word if it is here.
  package mutating func skip(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard count <= bytes.count - place else { return false }
    let isHere = word.withUTF8Buffer { bytes[place..<(place + count)].elementsEqual($0) }
    if isHere { place += count }
    return isHere
  }

  /// Steps over a number and checks it.
  ///
  /// - Returns: Its digits.
  package mutating func number() throws(JSONParser.Failure) -> Range<Int> {
    let start = place
    if next == UInt8(ascii: "-") { place += 1 }
    let first = place
    guard skipDigits() > 0 else { throw failure("a digit is missing") }
    if bytes[first] == UInt8(ascii: "0"), place - first > 1 {
      throw failure("a number does not start with 0")
    }
    if next == UInt8(ascii: ".") {
      place += 1
      guard skipDigits() > 0 else { throw failure("a digit is missing after the point") }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      place += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
      guard skipDigits() > 0 else { throw failure("a digit is missing in the exponent") }
    }
    return start..<place
  }

  private mutating func skipDigits() -> Int {
    let start = place
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { place += 1 }
    return place - start
  }

  /// Steps over a number that is none, where the lenient form has one.
  ///
  /// - Returns: The number; nil where there is none here.
  package mutating func nonFinite() -> Double? {
    guard isLenient else { return nil }
    let number: Double? =
      skip("NaN") ? .nan : skip("Infinity") ? .infinity : skip("-Infinity") ? -.infinity : nil
    if number != nil { hasNonFinite = true }
    return number
  }
}
