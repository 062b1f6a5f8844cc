import LarderModel

extension ValueFormat {
  /// A value that PHP's `serialize()` wrote.
  static let php = opening(
    name: "php", shows: "values that PHP serialized, of up to 1 MiB",
    suits: { value in
      guard let bytes = DecodedStructure.bytes(of: value),
        let decoded = try? PHPReader.read(bytes[...])
      else { return 0 }
      // A short scalar may be plain text too.
      return decoded.isScalar ? 2 : 6
    }, previewsContent: true,
    { value in
      DecodedValue("php", try? PHPReader.read(bytes(of: value)[...]).objects.structure, of: value)
    })
}

/// Decodes what PHP's `serialize()` wrote.
struct PHPReader {
  private var cursor: ByteCursor
  private var graph = ObjectGraph()
  /// The values that references can mean, in the order of their numbers.
  private var slots: [Int] = []

  /// Reads a value that fills the bytes.
  static func read(
    _ bytes: ArraySlice<UInt8>
  ) throws(FormatError) -> (objects: DecodedObjects, isScalar: Bool) {
    guard mayBegin(bytes) else { throw FormatError.unknownType }
    var reader = PHPReader(cursor: ByteCursor(bytes))
    let root = try reader.value()
    guard reader.cursor.left == 0 else { throw FormatError.surplusBytes }
    return (DecodedObjects(graph: reader.graph, root: root), "bdiN".utf8.contains(bytes.first ?? 0))
  }

  /// Whether bytes begin as a serialized value does.
  static func mayBegin(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count <= DecodedStructure.maximumSize, let first = bytes.first,
      let second = bytes.dropFirst().first
    else { return false }
    return first == UInt8(ascii: "N")
      ? second == UInt8(ascii: ";") && bytes.count == 2
      : "aOCEsSidb".utf8.contains(first) && second == UInt8(ascii: ":")
  }

  /// Reads a value; keys have no number that references can use.
  private mutating func value(isKey: Bool = false) throws(FormatError) -> Int {
    let type = Unicode.Scalar(try cursor.byte())
    if type == "N" {
      try cursor.expect(";")
      return try add(.init(value: .null), isKey)
    }
    try cursor.expect(":")
    switch type {
    case "b": return try add(.init(value: .bool(try integer() != 0)), isKey)
    case "i": return try add(.init(value: .integer(try integer())), isKey)
    case "d":
      let digits = try text(until: ";")
      guard let number = Double(digits), !digits.contains("x") else {
        throw FormatError.invalidNumber
      }
      return try add(.init(value: .real(number)), isKey)
    case "s", "S":
      let bytes = try string(isEscaped: type == "S")
      let index = try add(.init(value: .init(stringBytes: bytes)), isKey)
      try cursor.expect(";")
      return index
    case "E":
      let parts = String(lossy: try string()).split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { throw FormatError.missing("name") }
      let index = try add(.init(kind: .object, name: String(parts[0])), isKey)
      try graph.set("case", to: try graph.add(.text(String(parts[1]))), of: index)
      try cursor.expect(";")
      return index
    case "r", "R":
      let number = try integer()
      guard number > 0, number <= slots.count else {
        throw FormatError.danglingReference
      }
      let index = slots[Int(number) - 1]
      // Only a reference to an object has a number of its own.
      if type == "r" { slots.append(index) }
      return index
    case "a": return try array(isKey)
    case "O":
      let index = try add(.init(kind: .object, name: try name()), isKey)
      try members(of: index)
      return index
    case "C":
      let index = try add(.init(kind: .object, name: try name()), isKey)
      let count = try count()
      try cursor.expect("{")
      let data = try graph.add(.init(stringBytes: try cursor.take(count)))
      try graph.set("data", to: data, of: index)
      try cursor.expect("}")
      return index
    default: throw FormatError.unknownType
    }
  }

  private mutating func add(
    _ node: ObjectGraph.Node, _ isKey: Bool
  ) throws(FormatError) -> Int {
    let index = try graph.add(node)
    if !isKey { slots.append(index) }
    return index
  }

  // MARK: Members

  private mutating func array(_ isKey: Bool) throws(FormatError) -> Int {
    let index = try add(.init(kind: .dictionary), isKey)
    try members(of: index)
    let pairs = graph.nodes[index].pairs
    let isList = pairs.enumerated().allSatisfy { place, pair in
      graph.nodes[pair.key].value == .integer(Int64(place))
    }
    if isList {
      graph.nodes[index] = .init(kind: .list, elements: pairs.map(\.value))
    }
    return index
  }

  /// Reads the number of members, and the members in braces.
  private mutating func members(of index: Int) throws(FormatError) {
    let count = try count()
    try cursor.expect("{")
    try cursor.enter()
    for _ in 0..<count {
      let key = try value(isKey: true)
      switch graph.nodes[key].value {
      case .integer: break
      case .text(let name):
        graph.nodes[key].value = .text(Self.visible(name, of: graph.nodes[index]))
      case .data where graph.nodes[index].kind == .dictionary: break
      default: throw FormatError.invalidKey
      }
      graph.nodes[index].pairs.append(.init(key: key, value: try value()))
    }
    cursor.leave()
    try cursor.expect("}")
  }

  /// Returns the name of a property without the class or the asterisk, between zeros, that mark
  /// private and protected properties.
  private static func visible(_ name: String, of node: ObjectGraph.Node) -> String {
    guard node.kind == .object, name.utf8.first == 0,
      let end = name.utf8.dropFirst().firstIndex(of: 0)
    else { return name }
    return String(name[name.utf8.index(after: end)...])
  }

  // MARK: Parts

  private mutating func text(until end: Unicode.Scalar) throws(FormatError) -> String {
    String(decoding: try cursor.take(until: UInt8(ascii: end)), as: UTF8.self)
  }

  private mutating func integer() throws(FormatError) -> Int64 {
    guard let number = Int64(try text(until: ";")) else { throw FormatError.invalidNumber }
    return number
  }

  private mutating func count() throws(FormatError) -> Int {
    guard let count = Int(try text(until: ":")), count >= 0 else { throw FormatError.invalidNumber }
    return count
  }

  /// Reads a string in quotes, whose length is in bytes.
  private mutating func string(isEscaped: Bool = false) throws(FormatError) -> [UInt8] {
    let count = try count()
    try cursor.expect("\"")
    var bytes: [UInt8] = []
    if isEscaped {
      for _ in 0..<count {
        let byte = try cursor.byte()
        guard byte == UInt8(ascii: "\\") else {
          bytes.append(byte)
          continue
        }
        let digits = String(decoding: try cursor.take(2), as: UTF8.self)
        guard let byte = UInt8(digits, radix: 16) else { throw FormatError.invalidNumber }
        bytes.append(byte)
      }
    } else {
      bytes = Array(try cursor.take(count))
    }
    try cursor.expect("\"")
    return bytes
  }

  /// Reads the name of a class.
  private mutating func name() throws(FormatError) -> String {
    let name = try string()
    try cursor.expect(":")
    return String(lossy: name)
  }

}
