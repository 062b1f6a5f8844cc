import LarderModel

/// Reads the values of a property list in XML.
struct XMLPropertyListReader {
  /// The elements that represent values.
  enum Kind: String {
    case dict, array, string, integer, real, date, data
    case yes = "true"
    case no = "false"

    /// Returns the kind of value that a tag opens, or nil if it is another element.
    init?(_ tag: XMLToken, in bytes: [UInt8]) {
      // No valid name is longer, and this avoids copying a huge one from a hostile file.
      guard tag.content.count <= 7 else { return nil }
      self.init(rawValue: String(decoding: bytes[tag.content], as: UTF8.self))
    }
  }

  var cursor: XMLCursor

  init(_ cursor: XMLCursor) {
    self.cursor = cursor
  }

  /// Returns the kind of value that a tag opens, or nil if it is another element.
  func kind(of tag: XMLToken) -> Kind? {
    Kind(tag, in: cursor.bytes)
  }

  /// Reads the members of a dictionary.
  ///
  /// - Parameters:
  ///   - open: The opening tag of the dictionary.
  ///   - body: Called with the name, the range of its element and the opening tag of the value;
  ///     must consume the value.
  /// - Returns: The closing tag, or nil for an empty-element tag.
  /// - Throws: ``DocumentError`` if a member is malformed.
  @discardableResult
  mutating func eachMember(
    of open: XMLToken,
    _ body: (inout Self, String, Range<Int>, XMLToken) throws(DocumentError) -> Void
  ) throws(DocumentError) -> XMLToken? {
    guard open.kind == .open else { return nil }
    while true {
      let tag = try cursor.tag(inside: open)
      guard tag.beginsElement else { return tag }
      guard cursor.bytes.matches(tag.content, "key") else {
        throw cursor.failure(.keyExpected, at: tag.range.lowerBound)
      }
      let text = try cursor.text(of: tag)
      let name = try XMLText.name(text, in: cursor.bytes, at: tag.range.lowerBound)
      let place = tag.range.lowerBound..<cursor.place
      let value = try cursor.tag(inside: open)
      guard value.beginsElement else {
        throw cursor.failure(.missingValue, at: value.range.lowerBound)
      }
      try body(&self, name, place, value)
    }
  }

  /// Reads the elements of an array.
  ///
  /// - Parameters:
  ///   - open: The opening tag of the array.
  ///   - body: Called with the opening tag of each element; must consume the element.
  /// - Returns: The closing tag, or nil for an empty-element tag.
  /// - Throws: ``DocumentError`` if an element is malformed.
  @discardableResult
  mutating func eachElement(
    of open: XMLToken, _ body: (inout Self, XMLToken) throws(DocumentError) -> Void
  ) throws(DocumentError) -> XMLToken? {
    guard open.kind == .open else { return nil }
    while true {
      let tag = try cursor.tag(inside: open)
      guard tag.beginsElement else { return tag }
      try body(&self, tag)
    }
  }

  /// Reads a value and throws if it is malformed.
  mutating func check(_ open: XMLToken, depth: Int) throws(DocumentError) {
    guard depth < XMLCursor.maximumDepth else {
      throw cursor.failure(.nestedTooDeeply, at: open.range.lowerBound)
    }
    switch kind(of: open) {
    case .dict:
      try eachMember(of: open) { reader, _, _, tag throws(DocumentError) in
        try reader.check(tag, depth: depth + 1)
      }
    case .array:
      try eachElement(of: open) { reader, tag throws(DocumentError) in
        try reader.check(tag, depth: depth + 1)
      }
    default: _ = try value(open)
    }
  }

  /// Reads a value whose nesting depth was checked before.
  mutating func value(_ open: XMLToken) throws(DocumentError) -> StoredValue {
    switch kind(of: open) {
    case .dict:
      var fields: [StoredValue.Field] = []
      try eachMember(of: open) { reader, name, _, tag throws(DocumentError) in
        fields.append(StoredValue.Field(name, try reader.value(tag)))
      }
      return .dictionary(fields)
    case .array:
      var values: [StoredValue] = []
      try eachElement(of: open) { reader, tag throws(DocumentError) in
        values.append(try reader.value(tag))
      }
      return .array(values)
    case .some(let kind):
      guard let value = XMLPropertyListScalar.value(try cursor.text(of: open), kind) else {
        throw cursor.failure(.wrongType, at: open.range.lowerBound)
      }
      return value
    case nil:
      throw cursor.failure(.unknownElement, at: open.range.lowerBound)
    }
  }
}
