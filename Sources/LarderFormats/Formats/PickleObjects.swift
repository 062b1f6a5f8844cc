import LarderModel
import Foundation

/// The objects of a pickle.
///
/// Calls of well-known classes become values; other calls become objects with their arguments.
struct PickleObjects {
  var graph = ObjectGraph()

  /// The names of classes in Python 2 that have others in Python 3.
  private static let modules = ["__builtin__": "builtins", "copy_reg": "copyreg"]

  /// The maximum number of bytes of a name that may be repeated without limit.
  private static let maximumName = 200
  /// The maximum number of bytes of text that is read as a number or a date.
  private static let maximumNumber = 128

  // MARK: Containers

  mutating func list(_ elements: ArraySlice<Int>) throws(FormatError) -> Int {
    try graph.add(.init(kind: .list, elements: Array(elements)))
  }

  mutating func dictionary(_ members: ArraySlice<Int>) throws(FormatError) -> Int {
    let index = try graph.add(.init(kind: .dictionary))
    try set(members, in: index)
    return index
  }

  mutating func append(_ elements: ArraySlice<Int>, to index: Int) throws(FormatError) {
    guard graph.nodes[index].kind == .list || graph.nodes[index].kind == .object else {
      throw FormatError.missing("list")
    }
    graph.nodes[index].elements += elements
  }

  /// Adds keys and values, which alternate.
  mutating func set(_ members: ArraySlice<Int>, in index: Int) throws(FormatError) {
    guard graph.nodes[index].kind == .dictionary || graph.nodes[index].kind == .object,
      members.count.isMultiple(of: 2)
    else { throw FormatError.missing("dictionary") }
    var rest = members
    while let key = rest.popFirst(), let value = rest.popFirst() {
      graph.nodes[index].pairs.append(.init(key: key, value: value))
    }
  }

  func isEmpty(_ index: Int) -> Bool {
    graph.nodes[index].elements.isEmpty && graph.nodes[index].pairs.isEmpty
  }

  func text(_ index: Int) -> String {
    if case .text(let text) = graph.nodes[index].value { text } else { "" }
  }

  private func integer(_ index: Int?) -> Int64? {
    if let index, case .integer(let number) = graph.nodes[index].value { number } else { nil }
  }

  // MARK: Classes

  mutating func global(_ module: String, _ name: String) throws(FormatError) -> Int {
    let module = Self.modules[module] ?? module
    let count = module.utf8.count + name.utf8.count
    if count > Self.maximumName { try graph.charge(count) }
    return try graph.add(.init(kind: .global, name: module.isEmpty ? name : "\(module).\(name)"))
  }

  /// Adds an object that is not in the pickle.
  mutating func reference(_ kind: String, _ id: Int) throws(FormatError) -> Int {
    let index = try graph.add(.init(kind: .object, name: kind))
    if graph.nodes[id].value != .null { try graph.set("id", to: id, of: index) }
    return index
  }

  /// Adds an instance of a class, or what a function would return.
  mutating func instance(of type: Int, _ arguments: Int) throws(FormatError) -> Int {
    let isGlobal = graph.nodes[type].kind == .global
    let index = try graph.add(
      .init(kind: .object, name: isGlobal ? graph.nodes[type].name : "call"))
    if !isGlobal { try graph.set("function", to: type, of: index) }
    if !graph.nodes[arguments].elements.isEmpty {
      try graph.set("arguments", to: arguments, of: index)
    }
    return index
  }

  /// Adds the result of a call.
  mutating func call(_ function: Int, _ arguments: Int) throws(FormatError) -> Int {
    let elements = graph.nodes[arguments].elements
    // Calls can share their arguments.
    try graph.charge(elements.count)
    let first = elements.first
    switch graph.nodes[function].kind == .global ? graph.nodes[function].name : "" {
    case "builtins.set", "builtins.frozenset", "builtins.list", "builtins.tuple":
      let members = first.map { graph.nodes[$0] } ?? .init(kind: .list)
      if members.kind == .list {
        try graph.charge(members.elements.count)
        return try list(members.elements[...])
      }
    case "collections.OrderedDict", "collections.defaultdict", "collections.Counter",
      "builtins.dict":
      return try dictionary(from: first)
    case "_codecs.encode", "builtins.bytes", "builtins.bytearray":
      if let bytes = try latin1(first) { return try graph.add(.data(bytes)) }
    case "copyreg._reconstructor":
      if let first { return try reconstruct(first, elements) }
    case "copyreg.__newobj__":
      if let first { return try instance(of: first, try list(elements.dropFirst())) }
    case "decimal.Decimal":
      if let first, 1...Self.maximumNumber ~= text(first).utf8.count {
        return try graph.add(Self.decimal(text(first)))
      }
    case "datetime.timedelta":
      if let text = PickleTimes.duration(elements.map { integer($0) ?? 0 }) {
        return try graph.add(.init(value: .text(text), elements: elements))
      }
    case "datetime.timezone":
      if let first,
        let text = PickleTimes.zone(graph.nodes[first].elements.prefix(3).map { integer($0) ?? 0 })
      {
        return try graph.add(.init(value: .text(text), name: text))
      }
    case "datetime.datetime", "datetime.date", "datetime.time":
      if let first, text(first).utf8.count <= Self.maximumNumber,
        let text = PickleTimes.text(of: ValueFormat.bytes(of: graph.nodes[first].value))
      {
        return try time(text, graph.nodes[function].name, zone: elements.dropFirst().first)
      }
    default: break
    }
    return try instance(of: function, arguments)
  }

  /// Adds a dictionary with the members of another or with pairs from a list.
  private mutating func dictionary(from source: Int?) throws(FormatError) -> Int {
    let index = try graph.add(.init(kind: .dictionary))
    guard let source else { return index }
    let node = graph.nodes[source]
    try graph.charge(node.pairs.count + node.elements.count)
    graph.nodes[index].pairs = node.pairs
    for element in node.elements {
      let pair = graph.nodes[element].elements
      guard pair.count == 2 else { continue }
      graph.nodes[index].pairs.append(.init(key: pair[0], value: pair[1]))
    }
    return index
  }

  /// Adds an instance as protocols 0 and 1 describe it: its class, a base class and its value.
  private mutating func reconstruct(_ type: Int, _ parts: [Int]) throws(FormatError) -> Int {
    let index = try instance(of: type, try list([]))
    if let value = parts.dropFirst(2).first, graph.nodes[value].value != .null || !isEmpty(value) {
      try graph.set("value", to: value, of: index)
    }
    return index
  }

  /// Returns the bytes of text in Latin-1 or of data, or nil if there are none.
  private mutating func latin1(_ index: Int?) throws(FormatError) -> [UInt8]? {
    guard let index else { return [] }
    switch graph.nodes[index].value {
    case .data(let bytes):
      try graph.charge(bytes.count)
      return bytes
    case .text(let text):
      try graph.charge(text.utf8.count)
      let bytes = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
      return bytes.count == text.unicodeScalars.count ? bytes : nil
    default: return nil
    }
  }

  private static func decimal(_ text: String) -> StoredValue {
    let isNumber = (try? JSONParser.parse(Array(text.utf8))) != nil
    return isNumber ? StoredValue(digits: text) : .text(text)
  }

  /// Adds a date or a time; a time zone that has no offset stays an object.
  private mutating func time(
    _ text: String, _ name: String, zone: Int?
  ) throws(FormatError) -> Int {
    guard let zone else { return try graph.add(.text(text)) }
    if graph.nodes[zone].kind == .value {
      return try graph.add(.text(text + graph.nodes[zone].name))
    }
    let index = try graph.add(.init(kind: .object, name: name))
    try graph.set("value", to: try graph.add(.text(text)), of: index)
    try graph.set("tzinfo", to: zone, of: index)
    return index
  }

  // MARK: State

  /// Sets the members of an object.
  mutating func build(_ index: Int, from state: Int) throws(FormatError) {
    let kind = graph.nodes[index].kind
    guard kind == .object || kind == .dictionary else { return }
    let parts = graph.nodes[state]
    // A pair has the members in the dictionary and those in slots.
    let isPair =
      parts.kind == .list && parts.elements.count == 2
      && parts.elements.allSatisfy {
        let part = graph.nodes[$0]
        return part.kind == .dictionary || part.kind == .value && part.value == .null
      }
    for source in isPair ? parts.elements : [state] {
      guard isPair || parts.kind == .dictionary else {
        // The members are copied, since `parts` shares them.
        if source == index { try graph.charge(graph.nodes[index].pairs.count) }
        try graph.set("state", to: source, of: index)
        continue
      }
      let pairs = graph.nodes[source].pairs
      try graph.charge(pairs.count)
      if graph.nodes[index].name == "uuid.UUID",
        let pair = pairs.first(where: { text($0.key) == "int" }),
        let uuid = UUID(number: graph.nodes[pair.value].value)
      {
        graph.nodes[index] = .init(value: .uuid(uuid))
      } else {
        graph.nodes[index].pairs += pairs
      }
    }
  }
}

extension UUID {
  /// Creates a UUID from its integer, or returns nil if that is out of range.
  fileprivate init?(number: StoredValue) {
    let digits: String
    switch number {
    case .integer(let number): digits = String(number)
    case .number(let text): digits = text
    default: return nil
    }
    var bytes = [UInt8](repeating: 0, count: 16)
    for digit in digits.utf8 {
      guard 0x30...0x39 ~= digit else { return nil }
      var carry = Int(digit - 0x30)
      for place in bytes.indices.reversed() {
        carry += Int(bytes[place]) * 10
        bytes[place] = UInt8(truncatingIfNeeded: carry)
        carry >>= 8
      }
      guard carry == 0 else { return nil }
    }
    self.init(bytes: bytes)
  }
}
