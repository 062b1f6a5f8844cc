/// Where a member of an object or an element of an array is.
package struct JSONItem {
  /// The name with its quotes; empty for an element.
  package var name: Range<Int>
  /// The value.
  package var value: Range<Int>

  package init(name: Range<Int>, value: Range<Int>) {
    self.name = name
    self.value = value
  }

  /// The name and the value, and all between them.
  package var whole: Range<Int> { min(name.lowerBound, value.lowerBound)..<value.upperBound }
}

extension JSONScanner {
  /// Steps over one value and checks all of it, however deep.
  package mutating func skipValue() throws(JSONParser.Failure) {
    var brackets: [UInt8] = []
    while true {
      try skipSpace()
      var isFirst = false
      switch next {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        // The closing brackets come two bytes after the opening ones.
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
    guard let byte = next else { throw failure("the text ends where a value should be") }
    switch byte {
    case UInt8(ascii: "\""): try skipText()
    case UInt8(ascii: "t") where skip("true"), UInt8(ascii: "f") where skip("false"),
      UInt8(ascii: "n") where skip("null"):
      break
    case UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number()
    default:
      if nonFinite() != nil { return }
      guard byte == UInt8(ascii: "-") else { throw failure("a value should be here") }
      _ = try number()
    }
  }

  /// Steps over the next item of a list, or over its closing bracket.
  ///
  /// - Parameters:
  ///   - bracket: The bracket that closes the list.
  ///   - isFirst: Whether the place is right behind the opening bracket.
  /// - Returns: Where the item is; nil at the end of the list.
  /// - Throws: What is wrong with the item.
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
