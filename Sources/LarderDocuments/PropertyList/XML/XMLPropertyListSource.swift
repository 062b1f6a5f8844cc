import LarderModel

/// The elements of a property list in XML as editable values.
struct XMLPropertyListSource: EditSource {
  /// The contents of the file, which have been validated.
  let bytes: [UInt8]
  /// The offsets of array elements.
  let elements = ElementLocationCache<[Int]>()
  /// The offsets of dictionary values.
  private let named = ElementLocationCache<NamedStarts>()

  /// The members of a dictionary, with the offset of each value.
  private struct NamedStarts: Sendable {
    let list: MemberList
    let starts: [Int]
  }

  /// Creates a source from validated bytes.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  func value(of place: Range<Int>) throws(DocumentError) -> StoredValue {
    var (reader, open) = try start(at: place.lowerBound)
    return try reader.value(open)
  }

  /// Returns the range of the value at an offset.
  func place(at start: Int) throws(DocumentError) -> Range<Int> {
    var (reader, open) = try self.start(at: start)
    try reader.cursor.skip(open)
    return start..<reader.cursor.place
  }

  /// Returns the offset of the value that a step leads to from the value at an offset.
  ///
  /// Does not look for the end of that value.
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
      // Stop at the element: the rest of the array may be long.
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

  /// Returns the members of the dictionary at an offset, with the offsets of their values.
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

  /// Returns the offsets of the elements of the array at an offset.
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

  /// Returns the locations of the tags of a container.
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
      throw DocumentError.missingValue
    }
    return (reader, open)
  }
}
