import LarderModel

/// A property list in binary format.
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
    let (number, rest) = try find(path)
    if rest.isEmpty { return try source.value(of: number) }
    // The rest of the path may lead into a UID, which is not a dictionary in the file. The value of
    // any other object is not read, as it may be the whole file.
    guard try table.object(number).kind == .uid else { return nil }
    return try source.value(of: number).value(at: rest)
  }

  /// Returns the object at a path, or the last one on the way and the remaining steps.
  private func find(
    _ path: [DocumentStep]
  ) throws(DocumentError) -> (number: Int, rest: ArraySlice<DocumentStep>) {
    var number = table.top
    for (depth, step) in path.enumerated() {
      let object = try table.object(number)
      guard let position = try position(of: step, depth, in: object) else {
        return (number, path[depth...])
      }
      let isNamed = object.kind == .dictionary
      number = try table.reference(position + (isNamed ? object.count : 0), of: object)
    }
    return (number, [])
  }

  /// Returns the position that a step leads to in the object at a depth.
  private func position(
    of step: DocumentStep, _ depth: Int, in object: BinaryObject
  ) throws(DocumentError) -> Int? {
    // The root may have a large number of members, whose names are already indexed.
    depth == 0 ? list.position(of: step) : try source.position(of: step, in: object)
  }

  func form(at path: [DocumentStep]) -> String? {
    guard let (number, rest) = try? find(path), rest.isEmpty,
      let forms = try? BinaryForms(source).find(number)
    else { return nil }
    return BinaryForm.text(forms)
  }

  func namesLost(at path: [DocumentStep]) -> Bool {
    guard let (number, rest) = try? find(path), rest.isEmpty else { return false }
    if (try? BinaryForms(source).losesName(number)) == true { return true }
    guard case .name? = path.last, let (parent, _) = try? find(path.dropLast()),
      let object = try? table.object(parent),
      let position = try? position(of: path[path.count - 1], path.count - 1, in: object),
      let key = try? table.reference(position, of: object)
    else { return false }
    return (try? source.value(of: key))?.isMalformedText == true
  }

  func applying(
    _ changes: [DocumentChange], forms: [[DocumentStep]: String]
  ) throws(DocumentError) -> [UInt8] {
    var tree = EditTree(source, root: table.top)
    for change in changes {
      if case .set(let path, let value) = change, let form = forms[path] {
        try tree.apply(.set(path, BinaryForm.marked(value, form)))
      } else {
        try tree.apply(change)
      }
    }
    // Rewriting would drop any gaps that another program left between objects.
    if tree.root.isUnchanged { return table.bytes }
    var writer = BinaryWriter(source)
    return try writer.write(tree.root)
  }
}

/// The objects of a binary property list as editable values.
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
        readOnlyReason: object.kind == .set ? Messages.set : nil)
    case .uid:
      guard case .dictionary(let fields) = try value(of: place) else { return nil }
      return EditMembers(
        hasNames: true,
        members: fields.map { .init(name: $0.name, value: .new($0.value, replacing: nil)) })
    default: return nil
    }
  }

  /// Returns the position that a step leads to in an object, or nil if there is none.
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
