import LarderModel
import Foundation

extension ValueFormat {
  /// An object that Ruby's `Marshal` dumped.
  static let marshal = opening(
    name: "marshal", shows: "objects that Ruby marshaled, of up to 1 MiB",
    suits: { value in
      guard let bytes = DecodedStructure.bytes(of: value),
        (try? MarshalReader.read(bytes[...])) != nil
      else { return 0 }
      return 6
    }, previewsContent: true,
    { value in
      DecodedValue("marshal", try? MarshalReader.read(bytes(of: value)[...]).structure, of: value)
    })
}

/// Decodes what Ruby's `Marshal` dumped, in version 4.8.
///
/// Symbols begin with a colon, as in Ruby.
struct MarshalReader {
  private var cursor: ByteCursor
  private var graph = ObjectGraph()
  /// The symbols that links can mean, each with its object.
  private var symbols: [(name: String, index: Int)] = []
  /// The objects that links can mean, in the order of their numbers.
  private var objects: [Int] = []

  /// Reads an object that fills the bytes.
  static func read(_ bytes: ArraySlice<UInt8>) throws(FormatError) -> DecodedObjects {
    guard mayBegin(bytes) else { throw FormatError.unknownVersion }
    var reader = MarshalReader(cursor: ByteCursor(bytes.dropFirst(2)))
    let root = try reader.object()
    guard reader.cursor.left == 0 else { throw FormatError.surplusBytes }
    return DecodedObjects(graph: reader.graph, root: root)
  }

  /// Whether bytes begin with the version.
  static func mayBegin(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.count <= DecodedStructure.maximumSize && bytes.starts(with: [4, 8])
  }

  // MARK: Objects

  /// Reads an object, and its instance variables if they come before its end.
  ///
  /// In that case `hasVariables` becomes false.
  private mutating func object(_ hasVariables: inout Bool) throws(FormatError) -> Int {
    try cursor.enter()
    defer { cursor.leave() }
    let type = Unicode.Scalar(try cursor.byte())
    switch type {
    case "0": return try graph.add(.null)
    case "T", "F": return try graph.add(.bool(type == "T"))
    case "i": return try graph.add(.integer(Int64(try integer())))
    case ":": return try symbol(&hasVariables).index
    case ";": return try linkedSymbol().index
    case "@":
      let number = try count()
      guard number < objects.count else { throw FormatError.danglingReference }
      return objects[number]
    case "I":
      var hasOwn = true
      let index = try object(&hasOwn)
      if hasOwn { try variables(of: index) }
      return index
    case "\"": return try register(.init(value: .init(stringBytes: try bytes())))
    case "f": return try register(.init(value: try float()))
    case "l": return try register(.init(value: try bigInteger()))
    case "[":
      let index = try register(.init(kind: .list))
      for _ in 0..<(try count()) { graph.nodes[index].elements.append(try object()) }
      return index
    case "{", "}":
      let index = try register(.init(kind: .dictionary))
      for _ in 0..<(try count()) {
        let key = try object()
        graph.nodes[index].pairs.append(.init(key: key, value: try object()))
      }
      if type == "}" { try graph.set("default", to: try object(), of: index) }
      return index
    default: return try instance(type, &hasVariables)
    }
  }

  private mutating func object() throws(FormatError) -> Int {
    var hasVariables = false
    return try object(&hasVariables)
  }

  /// Reads a class, or an object that names its class.
  private mutating func instance(
    _ type: Unicode.Scalar, _ hasVariables: inout Bool
  ) throws(FormatError) -> Int {
    switch type {
    case "c", "m", "M":
      return try register(.init(kind: .global, name: String(lossy: try bytes())))
    case "/":
      let index = try register(.init(kind: .object, name: "Regexp"))
      try graph.set("source", to: try graph.add(.init(stringBytes: try bytes())), of: index)
      let options = try graph.add(.integer(Int64(try cursor.byte())))
      try graph.set("options", to: options, of: index)
      return index
    case "o", "S":
      let index = try register(.init(kind: .object, name: try name()))
      try members(of: index)
      return index
    case "U", "d":
      let index = try register(.init(kind: .object, name: try name()))
      try graph.set("data", to: try object(), of: index)
      return index
    case "u":
      let name = try name()
      let data = Array(try bytes())
      let index = try graph.add(.init(kind: .object, name: name))
      if hasVariables {
        hasVariables = false
        try members(of: index)
      }
      // Unlike other objects, it has a number after those in its instance variables.
      objects.append(index)
      try setDumped(data, of: index)
      return index
    case "C":
      // An instance of a class that inherits from a string, an array, a hash or a regexp.
      let name = try name()
      let index = try object(&hasVariables)
      let node = graph.nodes[index]
      switch node.kind {
      case .value: try graph.set("value", to: try graph.add(node.value), of: index)
      case .list, .dictionary, .object, .global: break
      }
      graph.nodes[index].kind = .object
      graph.nodes[index].name = name
      return index
    case "e":
      // An object that a module extends, which is not shown.
      _ = try name()
      return try object(&hasVariables)
    default: throw FormatError.unknownType
    }
  }

  private mutating func register(_ node: ObjectGraph.Node) throws(FormatError) -> Int {
    let index = try graph.add(node)
    objects.append(index)
    return index
  }

  // MARK: Members

  /// Reads members with names that are symbols.
  private mutating func members(of index: Int) throws(FormatError) {
    for _ in 0..<(try count()) {
      let name = try name()
      try graph.set(name, to: try object(), of: index)
    }
  }

  /// Reads the instance variables of an object, and leaves out the encoding of text.
  private mutating func variables(of index: Int) throws(FormatError) {
    for _ in 0..<(try count()) {
      let name = try name()
      let value = try object()
      guard name != "E", name != "encoding" else { continue }
      if graph.nodes[index].kind == .value {
        let content = try graph.add(graph.nodes[index].value)
        graph.nodes[index] = .init(kind: .object, name: "String")
        try graph.set("value", to: content, of: index)
      }
      try graph.set(name, to: value, of: index)
    }
  }

  /// Sets the content of an object that wrote itself as bytes.
  private mutating func setDumped(_ data: [UInt8], of index: Int) throws(FormatError) {
    if graph.nodes[index].name == "Time", data.count == 8, data[3] & 0x80 != 0,
      let time = Self.time(data)
    {
      graph.nodes[index] = .init(value: .date(time))
    } else {
      try graph.set("data", to: try graph.add(.init(stringBytes: data)), of: index)
    }
  }

  /// Returns a time from two words of bit fields, in UTC.
  private static func time(_ data: [UInt8]) -> Date? {
    func bits(_ first: Int, _ count: Int, of word: ArraySlice<UInt8>) -> Int {
      word.reversed().reduce(0) { $0 << 8 | Int($1) } >> first & (1 << count - 1)
    }
    func two(_ number: Int) -> String { String(String(100 + number).suffix(2)) }
    let (day, clock) = (data[..<4], data[4...])
    let text =
      "\(bits(14, 16, of: day) + 1_900)-\(two(bits(10, 4, of: day) + 1))-"
      + "\(two(bits(5, 5, of: day)))T\(two(bits(0, 5, of: day))):\(two(bits(26, 6, of: clock))):"
      + "\(two(bits(20, 6, of: clock)))Z"
    return Timestamp.date(from: text).map { $0 + Double(bits(0, 20, of: clock)) / 1_000_000 }
  }

  // MARK: Parts

  /// Reads an integer of up to four bytes.
  private mutating func integer() throws(FormatError) -> Int {
    let head = Int8(truncatingIfNeeded: try cursor.byte())
    switch head {
    case 0: return 0
    case 1...4, -4 ... -1:
      let bytes = try cursor.take(abs(Int(head)))
      let number = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
      return head > 0 ? number : number - 1 << (8 * bytes.count)
    default: return head > 0 ? Int(head) - 5 : Int(head) + 5
    }
  }

  private mutating func count() throws(FormatError) -> Int {
    let count = try integer()
    guard count >= 0 else { throw FormatError.invalidLength }
    return count
  }

  private mutating func bytes() throws(FormatError) -> ArraySlice<UInt8> {
    try cursor.take(try count())
  }

  private mutating func float() throws(FormatError) -> StoredValue {
    // Old versions have more bytes after a zero.
    let digits = String(lossy: try bytes().prefix { $0 != 0 })
    guard let number = Double(digits), !digits.contains("x") else {
      throw FormatError.invalidNumber
    }
    return .real(number)
  }

  private mutating func bigInteger() throws(FormatError) -> StoredValue {
    let isNegative = try cursor.byte() == UInt8(ascii: "-")
    let (count, isTooLarge) = try count().multipliedReportingOverflow(by: 2)
    guard !isTooLarge else { throw FormatError.longNumber }
    return StoredValue(magnitude: try cursor.take(count).reversed(), isNegative: isNegative)
  }

  // MARK: Symbols

  /// Reads a symbol that must come here, such as the name of a class.
  private mutating func name() throws(FormatError) -> String {
    var hasVariables = false
    switch Unicode.Scalar(try cursor.byte()) {
    case ":": return try symbol(&hasVariables).name
    case ";": return try linkedSymbol().name
    case "I":
      try cursor.expect(":")
      hasVariables = true
      return try symbol(&hasVariables).name
    default: throw FormatError.missing("symbol")
    }
  }

  private mutating func symbol(
    _ hasVariables: inout Bool
  ) throws(FormatError) -> (name: String, index: Int) {
    let name = String(lossy: try bytes())
    let symbol = (name, try graph.add(.text(":" + name)))
    symbols.append(symbol)
    guard hasVariables else { return symbol }
    hasVariables = false
    // Its encoding.
    try cursor.enter()
    defer { cursor.leave() }
    for _ in 0..<(try count()) {
      _ = try self.name()
      _ = try object()
    }
    return symbol
  }

  private mutating func linkedSymbol() throws(FormatError) -> (name: String, index: Int) {
    let number = try count()
    guard number < symbols.count else { throw FormatError.danglingReference }
    return symbols[number]
  }
}
