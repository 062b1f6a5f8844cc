/// The location of a member in an XML text, apart from its value.
struct XMLOrigin: Sendable, Hashable {
  /// The range before the member that does not belong to it, such as comments.
  let loose: Range<Int>
  /// The range of the whitespace just before the member.
  let lead: Range<Int>
  /// The range of the member before its value, such as its key; empty if there is nothing.
  let head: Range<Int>

  /// Splits the range between the end of one member and the value of the next.
  ///
  /// - Parameters:
  ///   - start: The end of the previous member.
  ///   - head: The range from the start of the name to the start of the value.
  ///   - bytes: The whole text.
  init(after start: Int, head: Range<Int>, in bytes: [UInt8]) {
    let gap = start..<max(start, head.lowerBound)
    let space = bytes[gap].lastIndex { !$0.isXMLSpace }.map { $0 + 1 } ?? start
    loose = start..<space
    lead = space..<gap.upperBound
    self.head = head
  }
}

/// The locations of the tags of an element with children.
struct XMLFrame: Sendable, Hashable {
  /// The opening tag, which may be an empty-element tag.
  let open: Range<Int>
  /// The range after its last child.
  let tail: Range<Int>
  /// The closing tag; empty if there is none.
  let close: Range<Int>

  /// Creates a frame from the tags of an element and the end of its last child.
  init(_ open: XMLToken, lastChildEnd: Int, close: XMLToken?) {
    self.open = open.range
    let end = close?.range ?? open.range.upperBound..<open.range.upperBound
    tail = (close == nil ? end.lowerBound : lastChildEnd)..<end.lowerBound
    self.close = end
  }
}

/// The indentation of elements in an XML text.
struct XMLLayout: Sendable, Hashable {
  /// The line break and the indentation before an element; empty if everything is on one line.
  let line: [UInt8]
  /// The additional indentation of an element's children.
  let unit: [UInt8]

  /// The layout of the children.
  var inner: XMLLayout { XMLLayout(line: line.isEmpty ? [] : line + unit, unit: unit) }

  /// Returns the layout of an element that follows some whitespace.
  func following(_ space: ArraySlice<UInt8>) -> XMLLayout {
    XMLLayout(line: space.lastLine, unit: unit)
  }

  /// Returns the additional indentation of a child, or nil if it cannot be determined.
  static func unit(
    parent: ArraySlice<UInt8>, child: ArraySlice<UInt8>
  ) -> [UInt8]? {
    guard !child.lastLine.isEmpty else { return nil }
    let outer = parent.lastLine.drop { $0 == 0x0D || $0 == 0x0A }
    let inner = child.lastLine.drop { $0 == 0x0D || $0 == 0x0A }
    return inner.starts(with: outer) ? Array(inner.dropFirst(outer.count)) : nil
  }
}

extension ArraySlice<UInt8> {
  /// The last line break and the bytes after it; empty if there is no line break.
  var lastLine: [UInt8] {
    guard let feed = lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let isTwo = feed > startIndex && self[feed - 1] == UInt8(ascii: "\r")
    return Array(self[(isTwo ? feed - 1 : feed)...])
  }
}
