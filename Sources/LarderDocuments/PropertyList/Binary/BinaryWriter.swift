import LarderModel

/// Writes a binary property list after changes.
///
/// Objects that are still referenced retain their bytes and their order; others are dropped. A new
/// object takes the number of the one it replaces if that is free, to change as few references as
/// possible.
struct BinaryWriter {
  /// A reference to an object of the file or to a new one.
  private enum Reference {
    case old(Int)
    case new(Int)
  }

  /// A new object.
  private enum Object {
    case scalar([UInt8])
    case array([Reference])
    case set([Reference])
    case dictionary(names: [Reference], values: [Reference])
  }

  private let table: BinaryTable
  /// Whether each object of the file is still referenced.
  private var isKept: [Bool]
  /// The new objects that take the number of an existing one, by that number.
  private var replacements: [Int: Int] = [:]
  private var objects: [Object] = []
  /// The new objects that get a number of their own, in order.
  private var additional: [Int] = []
  /// The new strings, deduplicated.
  private var texts: [StoredValue: Int] = [:]

  init(_ source: BinarySource) {
    table = source.table
    isKept = Array(repeating: false, count: source.table.count)
  }

  /// Returns the contents of the file with the values of a tree.
  mutating func write(_ root: EditNode<Int, Int>) throws(DocumentError) -> [UInt8] {
    try keep(root)
    let top = try plan(root)
    let old = isKept.indices.filter { isKept[$0] || replacements[$0] != nil }
    let order = old.map { replacements[$0].map(Reference.new) ?? .old($0) }
    let all = order + additional.map(Reference.new)
    var output = BinaryOutput(table, count: all.count)
    var oldNumbers = Array(repeating: 0, count: table.count)
    var newNumbers = Array(repeating: 0, count: objects.count)
    for (number, reference) in all.enumerated() {
      switch reference {
      case .old(let old): oldNumbers[old] = number
      case .new(let new): newNumbers[new] = number
      }
    }
    func number(_ reference: Reference) -> Int {
      switch reference {
      case .old(let old): oldNumbers[old]
      case .new(let new): newNumbers[new]
      }
    }
    for reference in all {
      switch reference {
      case .old(let old):
        let object = try table.object(old)
        var references: [Int] = []
        for index in 0..<object.references {
          references.append(oldNumbers[try table.reference(index, of: object)])
        }
        output.write(object, references)
      case .new(let new):
        switch objects[new] {
        case .scalar(let bytes): output.write(bytes)
        case .array(let values): output.write(0xA0, values.count, values.map(number))
        case .set(let values): output.write(0xC0, values.count, values.map(number))
        case .dictionary(let names, let values):
          output.write(0xD0, names.count, names.map(number) + values.map(number))
        }
      }
    }
    return output.finish(top: number(top))
  }

  /// Marks the objects of the file that a node still references.
  private mutating func keep(_ node: EditNode<Int, Int>) throws(DocumentError) {
    switch node {
    case .new: break
    case .kept(let number): try keep(number)
    case .container(let container):
      for item in container.items where !item.isRemoved {
        if let name = item.origin, !item.isRenamed { try keep(name) }
        try keep(item.value)
      }
    }
  }

  private mutating func keep(_ number: Int) throws(DocumentError) {
    var left = [number]
    while let number = left.popLast() {
      guard !isKept[number] else { continue }
      isKept[number] = true
      let object = try table.object(number)
      for index in 0..<object.references {
        let child = try table.reference(index, of: object)
        if !isKept[child] { left.append(child) }
      }
    }
  }

  /// Creates the objects that a node needs.
  private mutating func plan(_ node: EditNode<Int, Int>) throws(DocumentError) -> Reference {
    switch node {
    case .kept(let number): return .old(number)
    case .new(let value, let replaced): return try add(value, replacing: replaced)
    case .container(let container):
      if let value = container.newValue {
        return try add(value, replacing: container.replaced)
      }
      let items = container.items.filter { !$0.isRemoved }
      if let uid = Self.uid(items) { return add(.scalar(uid), replacing: container.place) }
      var names: [Reference] = []
      var values: [Reference] = []
      for item in items {
        if let key = item.origin, !item.isRenamed {
          names.append(.old(key))
        } else if let name = item.name {
          names.append(try add(.text(name), replacing: item.origin))
        }
        values.append(try plan(item.value))
      }
      return add(
        container.hasNames ? .dictionary(names: names, values: values) : .array(values),
        replacing: container.place)
    }
  }

  /// Returns the encoded UID if the members of a dictionary represent one.
  private static func uid(_ items: [EditContainer<Int, Int>.Item]) -> [UInt8]? {
    guard items.count == 1, let item = items.first, let name = item.name,
      let value = item.value.newValue
    else { return nil }
    return BinaryScalar.uid([StoredValue.Field(name, value)])
  }

  private mutating func add(
    _ value: StoredValue, replacing replaced: Int?
  ) throws(DocumentError) -> Reference {
    switch value {
    case .array(let values): return add(.array(try references(values)), replacing: replaced)
    case .record(let fields):
      switch BinaryForm.marked(fields) {
      case (.set, .array(let values))?:
        return add(.set(try references(values)), replacing: replaced)
      case (.real32, .real(let number))?:
        return add(.scalar(BinaryScalar.single(Float(number))), replacing: replaced)
      case (.null, .null)?: return add(.scalar([0x00]), replacing: replaced)
      default: return try add(.dictionary(fields), replacing: replaced)
      }
    case .dictionary(let fields):
      if let uid = BinaryScalar.uid(fields) { return add(.scalar(uid), replacing: replaced) }
      var names: [Reference] = []
      var values: [Reference] = []
      for field in fields {
        names.append(try add(.text(field.name), replacing: nil))
        values.append(try add(field.value, replacing: nil))
      }
      return add(.dictionary(names: names, values: values), replacing: replaced)
    default:
      if let known = texts[value] { return .new(known) }
      let single = try single(value, replacing: replaced)
      let object = if let single { single } else { try BinaryScalar.object(of: value) }
      let reference = add(.scalar(object), replacing: replaced)
      if case .text = value, case .new(let new) = reference { texts[value] = new }
      return reference
    }
  }

  private mutating func references(
    _ values: [StoredValue]
  ) throws(DocumentError) -> [Reference] {
    var references: [Reference] = []
    for value in values { references.append(try add(value, replacing: nil)) }
    return references
  }

  /// Returns a 32-bit encoding for a real that replaces a 32-bit real, if no digits are lost.
  private func single(
    _ value: StoredValue, replacing replaced: Int?
  ) throws(DocumentError) -> [UInt8]? {
    guard case .real(let number) = value, let replaced, try table.object(replaced).isSingle else {
      return nil
    }
    return BinaryForm.single(number).map(BinaryScalar.single)
  }

  private mutating func add(_ object: Object, replacing replaced: Int?) -> Reference {
    objects.append(object)
    let new = objects.count - 1
    if let replaced, !isKept[replaced], replacements[replaced] == nil {
      replacements[replaced] = new
    } else {
      additional.append(new)
    }
    return .new(new)
  }
}
