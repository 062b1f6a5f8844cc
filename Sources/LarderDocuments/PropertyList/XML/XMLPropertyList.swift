import LarderModel

/// A property list in XML.
struct XMLPropertyList: PropertyListForm {
  let list: MemberList
  private let source: XMLPropertyListSource
  /// The range of the root value.
  private let root: Range<Int>
  /// The offsets of the members' values.
  private let places: [Int]

  init(parsing bytes: [UInt8]) throws(DocumentError) {
    var reader = XMLPropertyListReader(try XMLProlog.cursor(bytes))
    guard var open = try reader.cursor.tag(), open.beginsElement else {
      throw reader.cursor.failure(.noElements)
    }
    let isWrapped = bytes.matches(open.content, "plist")
    let wrapper = open
    if isWrapped {
      open = try reader.cursor.tag(inside: wrapper)
      guard open.beginsElement, wrapper.kind == .open else {
        throw reader.cursor.failure(.emptyPropertyList)
      }
    }
    var names: [String] = []
    var places: [Int] = []
    switch reader.kind(of: open) {
    case .dict:
      try reader.eachMember(of: open) { reader, name, _, tag throws(DocumentError) in
        names.append(name)
        places.append(tag.range.lowerBound)
        try reader.check(tag, depth: 1)
      }
      list = MemberList(names: names)
    case .array:
      try reader.eachElement(of: open) { reader, tag throws(DocumentError) in
        places.append(tag.range.lowerBound)
        try reader.check(tag, depth: 1)
      }
      list = MemberList(count: places.count)
    default:
      try reader.check(open, depth: 0)
      list = MemberList(count: 0)
    }
    root = open.range.lowerBound..<reader.cursor.place
    if isWrapped {
      let end = try reader.cursor.tag(inside: wrapper)
      guard end.kind == .close else {
        throw reader.cursor.failure(.secondValue, at: end.range.lowerBound)
      }
    }
    try XMLProlog.checkEnd(reader.cursor)
    self.places = places
    source = XMLPropertyListSource(bytes: bytes)
  }

  var readOnlyReason: String? { nil }

  func value(at path: [DocumentStep]) throws(DocumentError) -> StoredValue? {
    guard let place = try place(at: path) else { return nil }
    return try source.value(of: place)
  }

  func spelling(at path: [DocumentStep]) -> [UInt8]? {
    guard let place = try? place(at: path) else { return nil }
    return XMLSpelling.unusual(place, of: source.bytes) { text, element in
      let kind = element.flatMap { XMLPropertyListReader.Kind($0, in: source.bytes) }
      return XMLPropertyListScalar.usual(text, kind)
    }
  }

  /// Returns the range of the value at a path, or nil if there is none.
  private func place(at path: [DocumentStep]) throws(DocumentError) -> Range<Int>? {
    guard let first = path.first else { return root }
    guard let position = list.position(of: first) else { return nil }
    var start = places[position]
    for step in path.dropFirst() {
      guard let inner = try source.start(of: step, at: start) else { return nil }
      start = inner
    }
    return try source.place(at: start)
  }

  func applying(
    _ changes: [DocumentChange], forms: [[DocumentStep]: String]
  ) throws(DocumentError) -> [UInt8] {
    var tree = EditTree(source, root: root)
    for change in changes { try tree.apply(change) }
    return try XMLPropertyListWriter(source: source, root: root).write(tree.root)
  }
}
