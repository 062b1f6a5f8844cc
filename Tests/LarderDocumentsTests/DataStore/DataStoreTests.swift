import LarderDocuments
import LarderModel
import TestSamples
import Testing

@Suite struct DataStoreTests {
  /// All types, written by Google's protobuf 7.36.2 for Python from the schema of DataStore.
  static let sample = bytes(
    "0a0b0a05636f756e741202182a0a0c0a04646174611204420200ff0a0b0a05656d70747912022a000a110a0468616c"
      + "66120939000000000000e03f0a0b0a0569734f6666120208000a0a0a0469734f6e120208010a140a056d696e7573"
      + "120b18ffffffffffffffffff010a0f0a046e616d6512072a054ac3bc72670a0a0a046e6f6e65120232000a0f0a02"
      + "7069120939ea2e4454fb2109400a0e0a05726174696f120515cdcccc3d0a0b0a05736d616c6c120220070a100a04"
      + "74616773120832060a01610a01620a0f0a047768656e12072080d095ffbc310a0a0a047a65726f12021800")

  private static var document: DataStoreDocument {
    get throws { try DataStoreDocument(parsing: sample) }
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.utf8.count, by: 2).compactMap { place in
      UInt8(String(hex.dropFirst(place).prefix(2)), radix: 16)
    }
  }

  /// Returns a preference of less than 128 bytes, with the field that its value consists of.
  private static func preference(_ name: String, _ field: [UInt8]) -> [UInt8] {
    let key = Array(name.utf8)
    let entry =
      [0x0A, UInt8(key.count)] + key + [0x12, UInt8(field.count)] + field
    return [0x0A, UInt8(entry.count)] + entry
  }

  /// Returns the sample with other bytes in place of the only occurrence of some.
  private static func sample(replacing old: [UInt8], with new: [UInt8]) throws -> [UInt8] {
    let places = sample.indices.filter { sample[$0...].starts(with: old) }
    let place = try #require(places.count == 1 ? places.first : nil)
    return sample[..<place] + new + sample[(place + old.count)...]
  }

  @Test func `Members have their types, values and order`() throws {
    let document = try Self.document
    #expect(document.readOnlyReason == nil)
    let expected: [(String, StoredValue, String?)] = [
      ("count", .integer(42), nil), ("data", .data([0, 0xFF]), nil), ("empty", .text(""), nil),
      ("half", .real(0.5), nil), ("isOff", .bool(false), nil), ("isOn", .bool(true), nil),
      ("minus", .integer(-1), nil), ("name", .text("Jürg"), nil), ("none", .array([]), nil),
      ("pi", .real(3.14159265359), nil), ("ratio", .real(0.1), "float"),
      ("small", .integer(7), "long"), ("tags", .array([.text("a"), .text("b")]), nil),
      ("when", .integer(1_700_000_000_000), nil), ("zero", .integer(0), nil),
    ]
    #expect(document.members == expected.map { .name($0.0) })
    for (name, value, form) in expected {
      #expect(try document.value(at: [.name(name)]) == value)
      #expect(document.form(at: [.name(name)]) == form)
    }
    #expect(try document.value(at: [.name("tags"), .index(1)]) == .text("b"))
    #expect(try document.value(at: [.name("tags"), .index(2)]) == nil)
    #expect(try document.value(at: [.name("nothing")]) == nil)
  }

  @Test func `A file without preferences is empty`() throws {
    let document = try DataStoreDocument(parsing: [])
    #expect(document.members.isEmpty && document.readOnlyReason == nil)
    let bytes = try document.applying([.set([.name("k")], .bool(true))])
    #expect(bytes == Self.preference("k", [0x08, 1]))
    #expect(try DataStoreDocument(parsing: bytes).applying([.remove([.name("k")])]).isEmpty)
  }

  @Test(
    arguments: [
      (.text("é"), [0x2A, 2, 0xC3, 0xA9]), (.bool(false), [0x08, 0]),
      (.integer(300), [0x18, 0xAC, 2]),
      (.integer(-2), [0x18, 0xFE] + [UInt8](repeating: 0xFF, count: 8) + [1]),
      (.integer(1 << 31), [0x20, 0x80, 0x80, 0x80, 0x80, 8]),
      (.real(0.5), [0x39, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F]), (.data([1, 0]), [0x42, 2, 1, 0]),
      (.number("1.50"), [0x39, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F]), (.array([]), [0x32, 0]),
      (.array([.text("a"), .text("")]), [0x32, 5, 0x0A, 1, 0x61, 0x0A, 0]),
    ] as [(StoredValue, [UInt8])])
  func `A new member is appended with the type of its value`(
    value: StoredValue, field: [UInt8]
  ) throws {
    let bytes = try Self.document.applying([.set([.name("new")], value)])
    #expect(bytes == Self.sample + Self.preference("new", field))
  }

  @Test(
    arguments: [
      ("boolean", .bool(true), [0x08, 1]), ("float", .real(0.5), [0x15, 0, 0, 0, 0x3F]),
      ("int", .integer(1), [0x18, 1]), ("long", .integer(1), [0x20, 1]),
      ("double", .integer(1), [0x39, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]),
    ] as [(String, StoredValue, [UInt8])])
  func `A member is written with the type of its form`(
    form: String, value: StoredValue, field: [UInt8]
  ) throws {
    let path: [DocumentStep] = [.name("count")]
    let bytes = try Self.document.applying([.set(path, value)], forms: [path: form])
    let old = Self.preference("count", [0x18, 42])
    #expect(
      try bytes == Self.sample(replacing: old, with: Self.preference("count", field)))
    #expect(
      try Self.document.applying([.set(path, .integer(42))], forms: [path: "mode 644"])
        == Self.sample)
  }

  @Test func `Replaced numbers keep their type, and other values get the type of the new value`()
    throws
  {
    let cases: [(String, [UInt8], StoredValue, [UInt8])] = [
      ("ratio", [0x15, 0xCD, 0xCC, 0xCC, 0x3D], .integer(2), [0x15, 0, 0, 0, 0x40]),
      ("small", [0x20, 7], .integer(8), [0x20, 8]),
      ("half", [0x39, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F], .integer(0), [0x39, 0, 0, 0, 0, 0, 0, 0, 0]),
      ("count", [0x18, 42], .text("x"), [0x2A, 1, 0x78]),
      ("isOn", [0x08, 1], .integer(1), [0x18, 1]),
    ]
    for (name, old, value, new) in cases {
      #expect(
        try Self.document.applying([.set([.name(name)], value)])
          == Self.sample(
            replacing: Self.preference(name, old), with: Self.preference(name, new)))
    }
  }

  @Test func `Renaming and removing keep the order and all other bytes`() throws {
    let old = Self.preference("small", [0x20, 7])
    #expect(
      try Self.document.applying([.rename([.name("small")], to: "ß")])
        == Self.sample(replacing: old, with: Self.preference("ß", [0x20, 7])))
    #expect(
      try Self.document.applying([.remove([.name("small")])])
        == Self.sample(replacing: old, with: []))
    #expect(throws: DocumentError.self) {
      try Self.document.applying([.rename([.name("small")], to: "tags")])
    }
  }

  @Test func `The strings of a set are changed one by one`() throws {
    let old: [UInt8] = [0x32, 6, 0x0A, 1, 0x61, 0x0A, 1, 0x62]
    let changes: [(DocumentChange, [UInt8])] = [
      (.set([.name("tags"), .index(0)], .text("c")), [0x32, 6, 0x0A, 1, 0x63, 0x0A, 1, 0x62]),
      (
        .set([.name("tags"), .index(2)], .text("")),
        [0x32, 8, 0x0A, 1, 0x61, 0x0A, 1, 0x62, 0x0A, 0]
      ),
      (.remove([.name("tags"), .index(0)]), [0x32, 3, 0x0A, 1, 0x62]),
    ]
    for (change, new) in changes {
      #expect(
        try Self.document.applying([change])
          == Self.sample(
            replacing: Self.preference("tags", old), with: Self.preference("tags", new)))
    }
  }

  @Test(
    arguments: [
      ("count", .integer(1 << 31)), ("count", .real(1.5)), ("small", .number("1e3")),
      ("ratio", .real(0.123456789)), ("ratio", .integer(16_777_217)),
      ("half", .integer(1 << 53 | 1)), ("half", .number("1e999")),
      ("tags", .array([.integer(1)])), ("tags", .array([.text("a"), .text("a")])),
      ("x", .null), ("x", .dictionary([])), ("x", .malformedText([0xFF])),
    ] as [(String, StoredValue)])
  func `A value that its type cannot hold is refused`(name: String, value: StoredValue) throws {
    #expect(throws: DocumentError.self) {
      try Self.document.applying([.set([.name(name)], value)])
    }
  }

  @Test func `Setting a value to itself changes nothing`() throws {
    let document = try Self.document
    for step in document.members {
      let value = try #require(try document.value(at: [step]))
      #expect(try document.applying([.set([step], value)]) == Self.sample)
    }
    let whole = try #require(try document.value(at: []))
    #expect(try document.applying([.set([], whole)]) == Self.sample)
  }

  /// Files that Android either cannot read or would write differently.
  static let unusual: [[UInt8]] = [
    // A field of the file, of a preference and of a value that the schema does not have.
    preference("k", [0x08, 1]) + [0x10, 1],
    [0x0A, 9, 0x0A, 1, 0x6B, 0x12, 2, 0x08, 1, 0x18, 1],
    preference("k", [0x08, 1, 0x48, 1]), preference("k", [0x48, 1]),
    // No value, no name, a value before the name, two values.
    preference("k", []), [0x0A, 3, 0x0A, 1, 0x6B], [0x0A, 4, 0x12, 2, 0x08, 1],
    [0x0A, 7, 0x12, 2, 0x08, 1, 0x0A, 1, 0x6B], preference("k", [0x08, 1, 0x18, 1]),
    // A Boolean of 2, an int beyond 32 bits, a signaling NaN.
    preference("k", [0x08, 2]), preference("k", [0x18, 0x80, 0x80, 0x80, 0x80, 0x10]),
    preference("k", [0x15, 1, 0, 0x80, 0x7F]),
    // Text that is not UTF-8, a string twice in a set, a name twice.
    preference("k", [0x2A, 1, 0xFF]), preference("k", [0x32, 6, 0x0A, 1, 0x61, 0x0A, 1, 0x61]),
    preference("k", [0x08, 1]) + preference("k", [0x08, 0]),
  ]

  @Test(arguments: unusual)
  func `A file with anything that DataStore does not write is only read`(bytes: [UInt8]) throws {
    let document = try DataStoreDocument(parsing: bytes)
    #expect(document.readOnlyReason != nil)
    #expect(!document.members.isEmpty)
    for step in document.members {
      #expect(try document.value(at: [step]) != nil)
      #expect(throws: DocumentError.self) { try document.applying([.remove([step])]) }
    }
  }

  @Test func `Special floating-point numbers keep their bits`() throws {
    for field: [UInt8] in [
      [0x15, 1, 0, 0xC0, 0xFF], [0x15, 0, 0, 0x80, 0xFF], [0x15, 0, 0, 0, 0x80],
      [0x39, 1, 0, 0, 0, 0, 0, 0xF0, 0x7F], [0x39, 0, 0, 0, 0, 0, 0, 0, 0x80],
    ] {
      let bytes = Self.preference("k", field)
      let document = try DataStoreDocument(parsing: bytes)
      let value = try #require(try document.value(at: [.name("k")]))
      #expect(document.readOnlyReason == nil)
      #expect(try document.applying([.set([.name("k")], value)]) == bytes)
    }
  }

  @Test(
    arguments: [
      [0x0A], [0x0A, 5], [0x0A, 3, 0x0A, 9, 0x6B], [0x0A, 3, 0x0A, 1, 0xFF], [0x00],
      [0x0A] + [UInt8](repeating: 0xFF, count: 9) + [1],
      [0x0A] + [UInt8](repeating: 0xFF, count: 20), preference("k", [0x32, 2, 0x0A, 9]),
      preference("k", [0x15, 0]), preference("k", [0x0F]),
    ] as [[UInt8]])
  func `A damaged file is refused`(bytes: [UInt8]) {
    #expect(throws: DocumentError.self) { try DataStoreDocument(parsing: bytes) }
  }

  @Test func `A file damaged anywhere never traps`() {
    Self.sample.torture(as: DataStoreDocument.self)
  }

  @Test func `A file is recognized by its content`() {
    #expect(DataStoreDocument.begins(Self.sample, isWhole: true))
    for count in 15..<Self.sample.count {
      #expect(DataStoreDocument.begins(Array(Self.sample.prefix(count)), isWhole: false))
    }
    #expect(!DataStoreDocument.begins(Self.sample.dropLast(), isWhole: true))
    for bytes in Self.unusual.dropLast() + [[], Array("\n{\"a\": 1}\n".utf8)] {
      #expect(!DataStoreDocument.begins(bytes, isWhole: true), "\(bytes)")
    }
  }

  @Test func `Random changes to a file match the model`() throws {
    try DocumentModel.compareRandomChanges(
      to: Self.document, value: Self.value, comparing: Self.withoutReals)
  }

  /// Replaces whole reals by integers: an integer in place of a float or a double becomes one.
  private static func withoutReals(_ value: StoredValue) -> StoredValue {
    guard case .dictionary(let fields) = value else { return value }
    return .dictionary(
      fields.map { field in
        guard case .real(let number) = field.value else { return field }
        // The digits of a float are those that identify it.
        let float = Float(number)
        let whole =
          Double(float.description) == number ? Int64(exactly: float) : Int64(exactly: number)
        guard let whole else { return field }
        return StoredValue.Field(field.name, .integer(whole))
      })
  }

  private static func value(
    _ random: inout SampleGenerator, at path: [DocumentStep]
  ) -> StoredValue? {
    if path.count > 1 { return .text(random.text()) }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .bool(.random(using: &random))
    case 1: return .integer(random.integer())
    case 2: return .array((0..<2).map { _ in .text(random.text()) })
    case 3: return .data([0, .random(in: 0...255, using: &random)])
    case 4: return .real(Double(Int.random(in: -9...9, using: &random)) / 8)
    default: return .text(random.text())
    }
  }
}
