import LarderModel

/// The elements of a property list in XML as values that can be changed.
struct XMLPropertyListSource: EditSource {
  /// The contents of the file, which have been checked.
  let bytes: [UInt8]
  /// Where elements of arrays begin.
  let elements = ElementPlaces<[Int]>()
  /// Where values of dictionaries begin.
  private let named = ElementPlaces<NamedStarts>()

  /// The members of a dictionary, and where the value of each begins.
  private struct NamedStarts: Sendable {
    let list: MemberList
    let starts: [Int]
  }

  /// A source of bytes which have been checked.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  func value(of place: Range<Int>) throws(DocumentError) -> StoredValue {
    var (reader, open) = try start(at: place.lowerBound)
    return try reader.value(open)
  }

  /// The place of the value that begins somewhere.
  func place(at start: Int) throws(DocumentError) -> Range<Int> {
    var (reader, open) = try self.start(at: start)
    try reader.cursor.skip(open)
    return start..<reader.cursor.place
  }

  /// Where the value begins that a step leads to from the one that begins at a place.
  ///
  /// Where that ends is not looked for.
  func start(of step: DocumentStep, at place: Int) throws(DocumentError) -> Int? {
    var (reader, open) = try start(at: place)
    var found: Int?
    switch (step, reader.kind(of: open)) {
    case (.name(let name, let repetition), .dict):
      if let known = named.places(in: place, { try? namedStarts(in: place) }) {
        return known.list.position(of: step).map { known.starts[$0] }
      }
      var left = repetition
      try reader.eachMember(of: open) { reader, other, _, tag throws(DocumentError) in
        try reader.cursor.skip(tag)
        guard other.hasBytes(of: name) else { return }
        if left == 0 { found = tag.range.lowerBound }
        left -= 1
      }
    case (.index(let index), .array):
      if let starts = elements.places(in: place, for: index, { try? starts(in: place) }) {
        return index < starts.count ? starts[index] : nil
      }
      guard open.kind == .open else { return nil }
      // What comes behind it may be long.
      for place in 0... {
        let tag = try reader.cursor.tag(inside: open)
        guard tag.beginsElement else { return nil }
        if place == index { return tag.range.lowerBound }
        try reader.cursor.skip(tag)
      }
    default: break
    }
    return found
  }

  /// Where the values of the dictionary begin that begins at a place.
  private func namedStarts(in place: Int) throws(DocumentError) -> NamedStarts {
    var (reader, open) = try start(at: place)
    var names: [String] = []
    var starts: [Int] = []
    try reader.eachMember(of: open) { reader, name, _, tag throws(DocumentError) in
      try reader.cursor.skip(tag)
      names.append(name)
      starts.append(tag.range.lowerBound)
    }
    return NamedStarts(list: MemberList(names: names), starts: starts)
  }

  /// Where the elements of the array begin that begins at a place.
  private func starts(in place: Int) throws(DocumentError) -> [Int] {
    var (reader, open) = try start(at: place)
    var starts: [Int] = []
    try reader.eachElement(of: open) { reader, tag throws(DocumentError) in
      try reader.cursor.skip(tag)
      starts.append(tag.range.lowerBound)
    }
    return starts
  }

  func members(
    of place: Range<Int>
  ) throws(DocumentError) -> EditMembers<Range<Int>, XMLOrigin>? {
    try children(of: place)?.members
  }

  /// Where the tags of a container are.
  func frame(of place: Range<Int>) throws(DocumentError) -> XMLFrame? {
    try children(of: place)?.frame
  }

  private func children(
    of place: Range<Int>
  ) throws(DocumentError) -> (members: EditMembers<Range<Int>, XMLOrigin>, frame: XMLFrame)? {
    var (reader, open) = try start(at: place.lowerBound)
    var end = open.range.upperBound
    var members: [EditMembers<Range<Int>, XMLOrigin>.Member] = []
    func add(_ name: String?, _ head: Range<Int>, _ value: Range<Int>) {
      members.append(
        .init(
          name: name, value: .kept(value), origin: XMLOrigin(after: end, head: head, in: bytes)))
      end = value.upperBound
    }
    switch reader.kind(of: open) {
    case .dict:
      let close = try reader.eachMember(of: open) { reader, name, key, tag throws(DocumentError) in
        try reader.cursor.skip(tag)
        let start = tag.range.lowerBound
        add(name, key.lowerBound..<start, start..<reader.cursor.place)
      }
      return (
        EditMembers(hasNames: true, members: members),
        XMLFrame(open, lastChildEnd: end, close: close)
      )
    case .array:
      let close = try reader.eachElement(of: open) { reader, tag throws(DocumentError) in
        try reader.cursor.skip(tag)
        let start = tag.range.lowerBound
        add(nil, start..<start, start..<reader.cursor.place)
      }
      return (
        EditMembers(hasNames: false, members: members),
        XMLFrame(open, lastChildEnd: end, close: close)
      )
    default: return nil
    }
  }

  private func start(
    at place: Int
  ) throws(DocumentError) -> (reader: XMLPropertyListReader, open: XMLToken) {
    var reader = XMLPropertyListReader(XMLCursor(bytes, at: place))
    guard let open = try reader.cursor.tag() else {
      throw DocumentError("a value is missing")
    }
    return (reader, open)
  }
}
