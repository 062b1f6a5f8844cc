import LarderModel

extension StaticString {
  /// The UTF-8 bytes of the literal.
  var bytes: UnsafeBufferPointer<UInt8> {
    // Literals of a single scalar may have no pointer; callers never use one.
    hasPointerRepresentation
      ? UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
      : UnsafeBufferPointer(start: nil, count: 0)
  }
}

extension UInt8 {
  /// Whether the byte is whitespace in XML.
  var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }
}

extension [UInt8] {
  /// Returns the offset of the first occurrence of a sequence at or after an offset.
  func range(of sequence: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var rest = self[Swift.min(start, count)...]
    guard let first = sequence.first else { return nil }
    while let index = rest.firstIndex(of: first) {
      rest = self[index...]
      if rest.starts(with: sequence) { return index }
      rest = rest.dropFirst()
    }
    return nil
  }

  /// Whether the bytes in a range are equal to a name.
  func matches(_ range: Range<Int>, _ name: StaticString) -> Bool {
    self[range].elementsEqual(name.bytes)
  }
}

extension DocumentError {
  /// Returns an error with the line and column of an offset in an XML text.
  static func xml(_ problem: SyntaxProblem, in bytes: [UInt8], at place: Int) -> Self {
    let before = bytes[..<min(place, bytes.count)]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return Self(problem.text(line: line, column: before.endIndex - start + 1))
  }
}
