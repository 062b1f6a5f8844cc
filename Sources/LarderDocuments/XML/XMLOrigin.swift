/// Where in an XML text a member is, apart from its value.
struct XMLOrigin: Sendable, Hashable {
  /// What stands before the member and is not its own, such as comments.
  let loose: Range<Int>
  /// The white space just before the member.
  let lead: Range<Int>
  /// What belongs to the member and stands before its value; empty where nothing does.
  let head: Range<Int>

  /// Divides what stands between the end of one member and the value of the next.
  ///
  /// - Parameters:
  ///   - start: Where the member before it ends.
  ///   - head: Where the name begins, and where the value does.
  ///   - bytes: The whole text.
  init(after start: Int, head: Range<Int>, in bytes: [UInt8]) {
    let gap = start..<max(start, head.lowerBound)
    let space = bytes[gap].lastIndex { !$0.isXMLSpace }.map { $0 + 1 } ?? start
    loose = start..<space
    lead = space..<gap.upperBound
    self.head = head
  }
}

/// Where the tags of an element are that holds others.
struct XMLFrame: Sendable, Hashable {
  /// The tag that it begins with, which may be all there is.
  let open: Range<Int>
  /// What follows its last child.
  let tail: Range<Int>
  /// The tag that it ends with; empty where there is none.
  let close: Range<Int>

  /// Takes in the tags of an element, the last child of which ends at a place.
  init(_ open: XMLToken, lastChildEnd: Int, close: XMLToken?) {
    self.open = open.range
    let end = close?.range ?? open.range.upperBound..<open.range.upperBound
    tail = (close == nil ? end.lowerBound : lastChildEnd)..<end.lowerBound
    self.close = end
  }
}

/// How the elements of an XML text are indented.
struct XMLLayout: Sendable, Hashable {
  /// What a line begins with: the line break and the indentation; nothing if all is on one line.
  let line: [UInt8]
  /// What the indentation of an element's children has more.
  let unit: [UInt8]

  /// The layout of children.
  var inner: XMLLayout { XMLLayout(line: line.isEmpty ? [] : line + unit, unit: unit) }

  /// The layout of an element that has some white space before it.
  func following(_ space: ArraySlice<UInt8>) -> XMLLayout {
    XMLLayout(line: space.lastLine, unit: unit)
  }

  /// The unit by which children are indented more than their parent; nil where that cannot be seen.
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
  /// The last line break and what follows it; empty where there is none.
  var lastLine: [UInt8] {
    guard let feed = lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let isTwo = feed > startIndex && self[feed - 1] == UInt8(ascii: "\r")
    return Array(self[(isTwo ? feed - 1 : feed)...])
  }
}
