/// The range of an object member or array element.
package struct JSONItem {
  /// The range of the quoted name; empty for an element.
  package var name: Range<Int>
  /// The range of the value.
  package var value: Range<Int>

  package init(name: Range<Int>, value: Range<Int>) {
    self.name = name
    self.value = value
  }

  /// The range from the start of the name to the end of the value.
  package var whole: Range<Int> { min(name.lowerBound, value.lowerBound)..<value.upperBound }
}

extension JSONScanner {
  /// Skips a value and validates it at any depth.
  package mutating func skipValue() throws(JSONParser.Failure) {
    var brackets: [UInt8] = []
    while true {
      try skipSpace()
      var isFirst = false
      switch next {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        // In ASCII, each closing bracket is two after its opening bracket.
        brackets.append(bytes[place] + 2)
        try enter()
        isFirst = true
      default: try skipScalar()
      }
      while true {
        guard let bracket = brackets.last else { return }
        guard try closes(with: bracket, isFirst: isFirst) else {
          if bracket == UInt8(ascii: "}") {
            try skipName()
            try skipColon()
          }
          break
        }
        brackets.removeLast()
        isFirst = false
      }
    }
  }

  private mutating func skipScalar() throws(JSONParser.Failure) {
    guard let byte = next else { throw failure(.truncated) }
    switch byte {
    case UInt8(ascii: "\""): try skipText()
    case UInt8(ascii: "t") where skip("true"), UInt8(ascii: "f") where skip("false"),
      UInt8(ascii: "n") where skip("null"):
      break
    case UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number()
    default:
      if nonFinite() != nil { return }
      guard byte == UInt8(ascii: "-") else { throw failure(.valueExpected) }
      _ = try number()
    }
  }

  /// Skips the next item of an object or array, or its closing bracket.
  ///
  /// - Parameters:
  ///   - bracket: The closing bracket.
  ///   - isFirst: Whether the position is directly after the opening bracket.
  /// - Returns: The item, or nil at the end.
  /// - Throws: A failure if the item is invalid.
  package mutating func nextItem(
    before bracket: UInt8, isFirst: Bool
  ) throws(JSONParser.Failure) -> JSONItem? {
    if try closes(with: bracket, isFirst: isFirst) { return nil }
    var name = place..<place
    if bracket == UInt8(ascii: "}") {
      try skipName()
      name = name.lowerBound..<place
      try skipColon()
    }
    let start = place
    try skipValue()
    return JSONItem(name: name, value: start..<place)
  }
}
