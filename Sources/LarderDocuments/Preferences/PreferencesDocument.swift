package import LarderModel

/// An Android SharedPreferences file: named, typed values in XML.
///
/// A replaced value retains its type: an int remains an int, and values beyond 32 bits are
/// rejected. Elements that SharedPreferences never writes are shown as XML source. They can be
/// renamed or removed, but stores do not remove them, because they could not be restored. Elements
/// without a name and comments stay in place.
package struct PreferencesDocument: Document {
  private let source: PreferencesSource
  private let list: MemberList
  /// The offset of each member's element.
  private let places: [Int]

  package init(parsing bytes: [UInt8]) throws(DocumentError) {
    if bytes.starts(with: "ABX\0".utf8) {
      throw DocumentError.binaryXML
    }
    var cursor = try XMLProlog.cursor(bytes)
    guard let open = try cursor.tag(), open.beginsElement, bytes.matches(open.content, "map") else {
      throw DocumentError.noMap
    }
    var names: [String] = []
    var places: [Int] = []
    while open.kind == .open {
      let tag = try cursor.tag(inside: open)
      guard tag.beginsElement else { break }
      let element = try PreferenceReader.element(tag, &cursor)
      guard let name = try PreferenceReader.name(of: element, in: bytes) else { continue }
      names.append(name)
      places.append(tag.range.lowerBound)
    }
    source = PreferencesSource(
      bytes: bytes,
      root: PreferenceElement(
        range: open.range.lowerBound..<cursor.place, type: nil, open: open, name: nil))
    try XMLProlog.checkEnd(cursor)
    list = MemberList(names: names)
    self.places = places
  }

  package static var hasPaths: Bool { false }

  package var readOnlyReason: String? { nil }

  package var members: [DocumentStep] { list.steps }

  package func value(at path: [DocumentStep]) throws(DocumentError) -> StoredValue? {
    guard let step = path.first else { return try source.value(of: source.root) }
    guard let element = try element(at: step) else { return nil }
    let value = try source.value(of: element)
    return value.value(at: path.dropFirst())
  }

  package func applying(_ changes: [DocumentChange]) throws(DocumentError) -> [UInt8] {
    try applying(changes, forms: [:])
  }

  package func applying(
    _ changes: [DocumentChange], forms: [[DocumentStep]: String]
  ) throws(DocumentError) -> [UInt8] {
    var tree = EditTree(source, root: source.root)
    for change in changes { try tree.apply(change) }
    let bytes = try PreferencesWriter(source: source, forms: forms).write(tree.root)
    _ = try Self(parsing: bytes)
    return bytes
  }

  /// Android's names of the member types.
  package static let typeNames = Set(PreferenceType.allCases.map(\.rawValue))

  /// Returns Android's name of a member's type.
  ///
  /// - Parameter step: The step to a member.
  /// - Returns: `string`, `int`, `long`, `float`, `boolean`, `set` or `null`; nil for other
  ///   elements.
  package func typeName(of step: DocumentStep) -> String? {
    (try? element(at: step))?.type?.rawValue
  }

  /// The elements that Android's `XmlUtils` reads but `SharedPreferences` never writes.
  private static let unwritten: Set = [
    "set", "list", "map", "double", "byte-array", "int-array", "long-array", "double-array",
    "boolean-array", "string-array",
  ]

  /// Whether Android rejects the whole file because of a member.
  ///
  /// `XmlUtils` rejects unknown elements and invalid numbers. It reads a boolean with any text
  /// other than "true" as false, but rejects one without a value.
  ///
  /// - Parameter step: The step to a member.
  /// - Returns: Whether Android rejects the file.
  package func refusedByAndroid(_ step: DocumentStep) -> Bool {
    guard let element = try? element(at: step), element.type == nil else { return false }
    let word = String(decoding: source.bytes[element.open.content], as: UTF8.self)
    if Self.unwritten.contains(word) { return false }
    return word != "boolean" || element.valueAttribute(in: source.bytes) == nil
  }

  package func form(at path: [DocumentStep]) -> String? {
    guard path.count == 1, let step = path.first, let element = try? element(at: step) else {
      return nil
    }
    guard let type = element.type else {
      // The brackets set this apart from type names: a known element may have an invalid value.
      return UnknownForm.word(String(decoding: source.bytes[element.open.content], as: UTF8.self))
    }
    let value = try? source.value(of: element)
    return value.flatMap { PreferenceType(for: $0) } == type ? nil : type.rawValue
  }

  package func spelling(at path: [DocumentStep]) -> [UInt8]? {
    let found = path.isEmpty ? source.root : path.first.flatMap { try? element(at: $0) }
    guard let found else { return nil }
    return spelledNumber(of: found)
      ?? XMLSpelling.unusual(found.range, of: source.bytes) { text, _ in
        try? XMLText.escaped(text, .preference)
      }
  }

  /// Returns the source text of a number or a Boolean if a new one would be written differently.
  private func spelledNumber(of element: PreferenceElement) -> [UInt8]? {
    guard let type = element.type, let written = element.valueAttribute(in: source.bytes),
      let value = try? source.value(of: element),
      let usual = try? PreferenceNumber.text(of: value, type),
      !usual.utf8.elementsEqual(source.bytes[written])
    else { return nil }
    return Array(source.bytes[written])
  }

  package func removalObstacle(at path: [DocumentStep]) -> String? {
    guard path.count == 1, let step = path.first, let element = try? element(at: step),
      element.type == nil
    else { return nil }
    return DocumentError.foreignElement.description
  }

  private func element(at step: DocumentStep) throws(DocumentError) -> PreferenceElement? {
    guard let position = list.position(of: step) else { return nil }
    var cursor = XMLCursor(source.bytes, at: places[position])
    guard let tag = try cursor.tag() else { return nil }
    return try PreferenceReader.element(tag, &cursor)
  }
}
