import LarderModel

extension ValueFormat {
  /// A Protocol Buffers message, read without its schema.
  static let protobuf = opening(
    name: "protobuf", shows: "Protocol Buffers messages of up to 1 MiB",
    suits: { value in
      guard case .data(let bytes) = value, bytes.count <= DecodedStructure.maximumSize,
        !bytes.looksLikeText, let message = ProtobufMessage(bytes[...])
      else { return 0 }
      return message.score
    },
    { value in
      let message = ProtobufMessage(bytes(of: value)[...])
      let decoded = message.map {
        DecodedStructure(value: $0.structure, detail: Messages.fieldsByNumber)
      }
      return DecodedValue("protobuf", decoded, of: value)
    })
}

/// The fields of a message, without the names and types that only its schema has.
struct ProtobufMessage {
  /// The content of a field.
  enum Content {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    case bytes(ArraySlice<UInt8>, ProtobufMessage?)
    case group(ProtobufMessage)
  }

  /// The maximum field number; greater ones are valid but rare, and occur in other data.
  private static let maximumNumber: UInt64 = 9_999

  /// The fields in the order of the message.
  private(set) var fields: [(number: UInt64, content: Content)] = []

  /// Reads a message that fills the bytes, or returns nil if they are not one.
  init?(_ bytes: ArraySlice<UInt8>) {
    var cursor = ByteCursor(bytes)
    guard let message = try? Self(&cursor, group: nil) else { return nil }
    self = message
  }

  /// Whether bytes begin with some valid fields.
  static func mayBegin(_ bytes: ArraySlice<UInt8>) -> Bool {
    var cursor = ByteCursor(bytes)
    for _ in 0..<16 where cursor.left > 0 {
      guard let field = try? cursor.field(), 1...maximumNumber ~= field.number else {
        return false
      }
    }
    return true
  }

  private init(_ cursor: inout ByteCursor, group: UInt64?) throws(FormatError) {
    while cursor.left > 0 {
      let field = try cursor.field()
      let number = field.number
      guard 1...Self.maximumNumber ~= number else {
        throw FormatError.invalidNumber
      }
      switch field.content {
      case .varint(let bits): fields.append((number, .varint(bits)))
      case .fixed64(let bits): fields.append((number, .fixed64(bits)))
      case .bytes(let bytes): fields.append((number, .bytes(bytes, nil)))
      case .groupStart:
        try cursor.enter()
        fields.append((number, .group(try Self(&cursor, group: number))))
        cursor.leave()
      case .groupEnd:
        guard number == group else { throw FormatError.unmatchedEnd }
        try readMessages(cursor)
        return
      case .fixed32(let bits): fields.append((number, .fixed32(bits)))
      }
    }
    guard group == nil else { throw FormatError.endsEarly }
    try readMessages(cursor)
  }

  /// Reads the fields that contain messages, after all fields of this message are known to be valid.
  private mutating func readMessages(_ cursor: ByteCursor) throws(FormatError) {
    for index in fields.indices {
      guard case .bytes(let bytes, _) = fields[index].content, !bytes.isEmpty,
        !Self.isText(bytes), var inside = try? cursor.inside(bytes),
        let message = try? Self(&inside, group: nil)
      else { continue }
      fields[index].content = .bytes(bytes, message)
    }
  }

  /// Whether bytes are text rather than a message.
  ///
  /// Some text is a valid message. The first fields of most messages have tags that are control
  /// characters, also the line feed.
  private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.first.map { $0 >= 0x20 } ?? true && Array(bytes).plainText != nil
  }

  // MARK: Structure

  /// The fields as a dictionary, in which repeated fields are arrays.
  var structure: StoredValue {
    var places: [UInt64: Int] = [:]
    var members: [(name: String, values: [StoredValue])] = []
    for field in fields {
      let value = Self.value(of: field.content)
      if let place = places[field.number] {
        members[place].values.append(value)
      } else {
        places[field.number] = members.count
        members.append((String(field.number), [value]))
      }
    }
    return .dictionary(
      members.map { .init($0.name, $0.values.count == 1 ? $0.values[0] : .array($0.values)) })
  }

  private static func value(of content: Content) -> StoredValue {
    switch content {
    case .varint(let bits): .integer(Int64(bitPattern: bits))
    case .fixed64(let bits):
      number(Double(bitPattern: bits), StoredValue.real, or: Int64(bitPattern: bits))
    case .fixed32(let bits):
      number(Float(bitPattern: bits), StoredValue.init(_:), or: Int64(bits))
    case .bytes(_, let message?), .group(let message): message.structure
    case .bytes(let bytes, nil):
      Array(bytes).plainText.map { .text($0) } ?? .data(Array(bytes))
    }
  }

  /// Returns a number of fixed size, which is a float or an integer: the one that is more usual.
  private static func number<Number: BinaryFloatingPoint>(
    _ real: Number, _ value: (Number) -> StoredValue, or integer: Int64
  ) -> StoredValue {
    real.isUsual ? value(real) : .integer(integer)
  }

  // MARK: Recognition

  /// The suitability score: below all other formats but the hex dump, or below that if the message
  /// may be random bytes.
  ///
  /// Writers put fields in order, and the numbers of most messages begin at 1 without large gaps.
  /// A message without text must be like that.
  var score: Int {
    let isNested = fields.contains { field in
      switch field.content {
      case .bytes(_, .some), .group: true
      default: false
      }
    }
    guard fields.count > 1 || isNested else { return 0 }
    let numbers = fields.map(\.number)
    let steps = zip([0] + numbers, numbers)
    guard steps.allSatisfy({ $0 <= $1 }) else { return 2 }
    let isDense = numbers[0] == 1 && steps.allSatisfy { $1 - $0 <= 3 }
    return isDense || hasText ? 4 : 2
  }

  /// Whether a field or a field of a nested message is text.
  private var hasText: Bool {
    fields.contains { field in
      switch field.content {
      case .bytes(_, let message?), .group(let message): message.hasText
      case .bytes(let bytes, nil): bytes.count > 2 && Array(bytes).plainText != nil
      default: false
      }
    }
  }
}

extension BinaryFloatingPoint {
  /// Whether bits that may be an integer are more likely this number.
  var isUsual: Bool { 1e-6..<1e12 ~= magnitude }
}
