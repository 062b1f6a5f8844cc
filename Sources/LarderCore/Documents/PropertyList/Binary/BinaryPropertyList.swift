/// A property list in binary form.
struct BinaryPropertyList: PropertyListForm {
  let list: MemberList
  private let source: BinarySource
  private var table: BinaryTable { source.table }

  init(parsing bytes: [UInt8]) throws(DocumentError) {
    let table = try BinaryTable(bytes)
    try BinaryCheck.check(table)
    source = BinarySource(table: table)
    let top = try table.object(table.top)
    switch top.kind {
    case .dictionary:
      var reader = BinaryReader(table)
      var names: [String] = []
      for index in 0..<top.count {
        names.append(try reader.name(try table.reference(index, of: top)))
      }
      list = MemberList(names: names)
    case .array: list = MemberList(count: top.count)
    default: list = MemberList(count: 0)
    }
  }

  var readOnlyReason: String? { nil }

  func value(at path: [DocumentStep]) throws(DocumentError) -> StoredValue? {
    var number = table.top
    for (depth, step) in path.enumerated() {
      let object = try table.object(number)
      let position =
        depth == 0 ? list.position(of: step) : try source.position(of: step, in: object)
      guard let position else {
        // What is left of the path may lead into a UID, which is no dictionary in the file.
        return try source.value(of: number).value(at: path[depth...])
      }
      let isNamed = object.kind == .dictionary
      number = try table.reference(position + (isNamed ? object.count : 0), of: object)
    }
    return try source.value(of: number)
  }

  func applying(_ changes: [DocumentChange]) throws(DocumentError) -> [UInt8] {
    var tree = EditTree(source, root: table.top)
    for change in changes { try tree.apply(change) }
    // A file that another program has written may have space between its objects.
    if tree.root.isUnchanged { return table.bytes }
    var writer = BinaryWriter(source)
    return try writer.write(tree.root)
  }
}

/// The objects of a binary property list as values that can be changed.
struct BinarySource: EditSource {
  let table: BinaryTable

  func value(of place: Int) throws(DocumentError) -> StoredValue {
    var reader = BinaryReader(table)
    return try reader.value(place)
  }

  func members(of place: Int) throws(DocumentError) -> EditMembers<Int, Int>? {
    let object = try table.object(place)
    var members: [EditMembers<Int, Int>.Member] = []
    switch object.kind {
    case .dictionary:
      var reader = BinaryReader(table)
      for index in 0..<object.count {
        let key = try table.reference(index, of: object)
        let value = try table.reference(object.count + index, of: object)
        members.append(.init(name: try reader.name(key), value: .kept(value), origin: key))
      }
      return EditMembers(hasNames: true, members: members)
    case .array, .set:
      for index in 0..<object.count {
        members.append(.init(value: .kept(try table.reference(index, of: object))))
      }
      return EditMembers(
        hasNames: false, members: members,
        readOnlyReason: object.kind == .set ? "a set in a property list is only shown" : nil)
    case .uid:
      guard case .dictionary(let fields) = try value(of: place) else { return nil }
      return EditMembers(
        hasNames: true,
        members: fields.map { .init(name: $0.name, value: .new($0.value, replacing: nil)) })
    default: return nil
    }
  }

  /// The position of what a step leads to in an object; nil where there is nothing.
  func position(
    of step: DocumentStep, in object: BinaryObject
  ) throws(DocumentError) -> Int? {
    switch (step, object.kind) {
    case (.index(let index), .array), (.index(let index), .set):
      return 0..<object.count ~= index ? index : nil
    case (.name(let name, let repetition), .dictionary):
      var left = repetition
      var reader = BinaryReader(table)
      for index in 0..<object.count
      where try reader.name(try table.reference(index, of: object)).hasBytes(of: name) {
        if left == 0 { return index }
        left -= 1
      }
      return nil
    default: return nil
    }
  }
}
