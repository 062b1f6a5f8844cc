import LarderModel

/// An element of a preferences file, as ranges of its bytes.
struct PreferenceElement: Sendable, Hashable {
  /// The range of the whole element.
  let range: Range<Int>
  /// The type; nil if SharedPreferences never writes such an element.
  let type: PreferenceType?
  /// The opening tag.
  let open: XMLToken
  /// The range of its `name` attribute, without the quotes.
  let name: Range<Int>?

  /// Returns the range of its `value` attribute, which holds numbers and Booleans, without the
  /// quotes.
  func valueAttribute(in bytes: [UInt8]) -> Range<Int>? {
    XMLTag.attributes(of: open, in: bytes).first { bytes.matches($0.name, "value") }?.value
  }
}

/// Reads the elements of a preferences file.
enum PreferenceReader {
  /// Reads an element and determines its type.
  ///
  /// - Parameters:
  ///   - open: The opening tag.
  ///   - cursor: A cursor just after the tag.
  /// - Returns: The element, without a type if its content does not match the type.
  /// - Throws: ``DocumentError`` if the element is not well-formed.
  static func element(
    _ open: XMLToken, _ cursor: inout XMLCursor
  ) throws(DocumentError) -> PreferenceElement {
    try cursor.skip(open)
    let attributes = XMLTag.attributes(of: open, in: cursor.bytes)
    let type = PreferenceType(
      rawValue: String(decoding: cursor.bytes[open.content], as: UTF8.self))
    let name = attributes.first { cursor.bytes.matches($0.name, "name") }?.value
    func element(_ type: PreferenceType?) -> PreferenceElement {
      PreferenceElement(
        range: open.range.lowerBound..<cursor.place, type: type, open: open, name: name)
    }
    guard let type, (try? value(of: element(type), in: cursor.bytes)) != nil else {
      return element(nil)
    }
    return element(type)
  }

  /// Returns the name of an element, or nil if it has none.
  static func name(
    of element: PreferenceElement, in bytes: [UInt8]
  ) throws(DocumentError) -> String? {
    guard let name = element.name else { return nil }
    return try XMLText.name(try text(name, in: bytes), in: bytes, at: name.lowerBound)
  }

  /// Returns the value of an element, which is its XML source if its type is unknown.
  static func value(
    of element: PreferenceElement, in bytes: [UInt8]
  ) throws(DocumentError) -> StoredValue {
    guard let type = element.type else {
      return .text(String(decoding: bytes[element.range], as: UTF8.self))
    }
    var cursor = XMLCursor(bytes, at: element.open.range.upperBound)
    switch type {
    case .string: return StoredValue(textBytes: try cursor.text(of: element.open))
    case .null: return .null
    case .set:
      let elements = try elements(inside: element, in: bytes).elements
      var values: [StoredValue] = []
      for element in elements {
        guard element.type == .string || element.type == .null else {
          throw cursor.failure(.notStrings)
        }
        values.append(try value(of: element, in: bytes))
      }
      return .array(values)
    case .int, .long, .float, .boolean:
      guard let range = element.valueAttribute(in: bytes) else {
        throw cursor.failure(.missingValue)
      }
      let text = String(decoding: try text(range, in: bytes), as: UTF8.self)
      guard let value = PreferenceNumber.value(text, type) else {
        throw cursor.failure(.wrongType, at: range.lowerBound)
      }
      return value
    }
  }

  /// Returns the elements directly inside another one, and its closing tag.
  static func elements(
    inside parent: PreferenceElement, in bytes: [UInt8]
  ) throws(DocumentError) -> (elements: [PreferenceElement], close: XMLToken?) {
    guard parent.open.kind == .open else { return ([], nil) }
    var cursor = XMLCursor(bytes, at: parent.open.range.upperBound)
    var elements: [PreferenceElement] = []
    while true {
      let tag = try cursor.tag(inside: parent.open)
      guard tag.beginsElement else { return (elements, tag) }
      elements.append(try element(tag, &cursor))
    }
  }

  private static func text(
    _ range: Range<Int>, in bytes: [UInt8]
  ) throws(DocumentError) -> [UInt8] {
    var content: [UInt8] = []
    try XMLText.append(range, of: bytes, to: &content)
    return content
  }
}
