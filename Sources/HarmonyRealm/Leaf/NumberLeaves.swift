import Foundation

/// A leaf of integers; if they are nullable, the first one is the encoding of null.
struct IntegerLeaf {
  let count: Int
  private let node: RealmNode
  private let shift: Int
  private let null: Int64?

  init(_ node: RealmNode, isNullable: Bool) throws(RealmError) {
    guard node.layout == .bits, !node.hasRefs, !isNullable || node.count > 0 else {
      throw .misplaced("numbers")
    }
    self.node = node
    shift = isNullable ? 1 : 0
    null = isNullable ? try node.integer(0) : nil
    count = node.count - shift
  }

  /// The number of bytes in the file.
  var size: Int { node.size }

  func number(_ index: Int) throws(RealmError) -> Int64? {
    let number = try node.integer(index + shift)
    return number == null ? nil : number
  }
}

/// A leaf of timestamps, with separate seconds and nanoseconds.
struct TimestampLeaf {
  let count: Int
  private let seconds: IntegerLeaf
  private let nanoseconds: IntegerLeaf

  init(_ snapshot: RealmSnapshot, _ node: RealmNode) throws(RealmError) {
    guard node.hasRefs, !node.isInner, node.count >= 2 else {
      throw .misplaced("dates")
    }
    seconds = try IntegerLeaf(try snapshot.node(try node.requiredRef(0)), isNullable: true)
    nanoseconds = try IntegerLeaf(try snapshot.node(try node.requiredRef(1)), isNullable: false)
    count = seconds.count
    guard nanoseconds.count == count else { throw .unequalCounts }
  }

  /// The number of bytes of the nodes below the leaf.
  var partSize: Int { seconds.size + nanoseconds.size }

  func value(_ index: Int) throws(RealmError) -> RealmValue {
    guard let seconds = try seconds.number(index) else { return .null }
    let rest = try nanoseconds.number(index) ?? 0
    guard rest.magnitude < 1_000_000_000 else {
      throw .invalidDate
    }
    return .timestamp(RealmTimestamp(seconds: seconds, nanoseconds: Int32(rest)))
  }
}

/// A leaf of identifiers of one length, in blocks of eight after a byte with their null flags.
struct IdentifierLeaf {
  let count: Int
  private let bytes: [UInt8]
  private let width: Int

  init(_ node: RealmNode, width: Int) throws(RealmError) {
    guard !node.hasRefs, node.layout == .bytes, node.width <= 1 else {
      throw .misplaced("identifiers")
    }
    self.width = width
    bytes = node.width == 0 ? [UInt8](repeating: 0, count: 0) : node.payload
    let block = 8 * width + 1
    let marks = (bytes.count + block - 1) / block
    count = (bytes.count - marks) / width
    guard count * width + marks == bytes.count else { throw .shortIdentifier }
  }

  func bytes(_ index: Int) throws(RealmError) -> ArraySlice<UInt8>? {
    guard index >= 0, index < count else {
      throw .outsideNode
    }
    let block = index / 8 * (8 * width + 1)
    if bytes[block] >> UInt8(index % 8) & 1 == 1 { return nil }
    let start = block + 1 + index % 8 * width
    return bytes[start..<(start + width)]
  }
}

/// A leaf of decimal numbers, with as many bits as the longest one needs.
struct DecimalLeaf {
  let count: Int
  private let node: RealmNode

  init(_ node: RealmNode) throws(RealmError) {
    guard !node.hasRefs, node.layout == .bytes, [0, 4, 8, 16].contains(node.width) else {
      throw .misplaced("decimal numbers")
    }
    self.node = node
    count = node.count
  }

  func value(_ index: Int) throws(RealmError) -> RealmValue {
    let bytes = try node.element(index)
    switch node.width {
    case 0:
      return node.isMarked
        ? .decimal(RealmDecimal(isNegative: false, coefficient: 0, exponent: 0)) : .null
    case 4:
      let bits = UInt32(truncatingIfNeeded: bytes.word)
      return bits == 0x7C00_00AA ? .null : .decimal(RealmDecimal(bits: bits))
    case 8:
      let bits = bytes.word
      return bits == 0x7C00_0000_0000_00AA ? .null : .decimal(RealmDecimal(bits: bits))
    default:
      let low = bytes.prefix(8).word
      let high = bytes.suffix(8).word
      return low == 0xAA && high == 0x7C00_0000_0000_0000
        ? .null : .decimal(RealmDecimal(low: low, high: high))
    }
  }
}

/// A leaf of floating-point numbers of 32 or 64 bits.
struct FloatLeaf {
  let count: Int
  private let node: RealmNode
  private static let null32: UInt32 = 0x7FC0_00AA
  private static let null64: UInt64 = 0x7FF8_0000_0000_00AA

  init(_ node: RealmNode, width: Int) throws(RealmError) {
    // An empty leaf may have no width yet.
    guard !node.hasRefs, node.layout == .bytes, node.width == width || node.count == 0 else {
      throw .misplaced("floating-point numbers")
    }
    self.node = node
    count = node.count
  }

  func value(_ index: Int, isNullable: Bool) throws(RealmError) -> RealmValue {
    let bits = try node.element(index).word
    if node.width == 4 {
      let bits = UInt32(truncatingIfNeeded: bits)
      return isNullable && bits == Self.null32 ? .null : .float(Float(bitPattern: bits))
    }
    return isNullable && bits == Self.null64 ? .null : .double(Double(bitPattern: bits))
  }
}

extension ArraySlice<UInt8> {
  /// Up to eight bytes as a little-endian number.
  fileprivate var word: UInt64 {
    prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
