/// An array of the file, copied into memory as a whole.
///
/// Its payload has exactly the length given in its header, so that every element below the count is
/// in bounds.
struct RealmNode: Sendable {
  /// The unit of the width of an element.
  enum Layout: UInt8, Sendable {
    case bits, bytes, raw
  }

  static let headerSize = 8
  /// The maximum size of a payload, which exceeds any node that Realm writes: values are limited to
  /// 16 MiB, and leaves to 1,000 values; long values are in separate nodes.
  static let maximumPayload = 1 << 26

  let count: Int
  let width: Int
  let layout: Layout
  let isInner: Bool
  let hasRefs: Bool
  let isMarked: Bool
  let payload: [UInt8]

  /// The eight bytes before the payload.
  struct Header {
    let count: Int
    let width: Int
    let layout: Layout
    let flags: UInt8

    init(_ bytes: ArraySlice<UInt8>) throws(RealmError) {
      let start = bytes.startIndex
      guard bytes.count >= headerSize, let layout = Layout(rawValue: bytes[start + 4] >> 3 & 3)
      else { throw .unknownHeader }
      flags = bytes[start + 4]
      self.layout = layout
      width = (1 << Int(flags & 7)) >> 1
      count = Int(bytes[start + 5]) << 16 | Int(bytes[start + 6]) << 8 | Int(bytes[start + 7])
    }

    var payloadSize: Int {
      switch layout {
      case .bits: (count * width + 7) / 8
      case .bytes: count * width
      case .raw: count
      }
    }
  }

  init(_ header: Header, payload: [UInt8]) throws(RealmError) {
    guard payload.count == header.payloadSize else {
      throw .shortNode
    }
    count = header.count
    width = header.width
    layout = header.layout
    isInner = header.flags & 0x80 != 0
    hasRefs = header.flags & 0xC0 != 0
    isMarked = header.flags & 0x20 != 0
    self.payload = payload
  }
}

extension RealmNode {
  /// The number of bytes in the file, without padding.
  var size: Int { Self.headerSize + payload.count }

  /// Returns an element, which is unsigned if narrower than a byte and signed otherwise.
  func integer(_ index: Int) throws(RealmError) -> Int64 {
    guard index >= 0, index < count, layout == .bits else {
      throw .outsideNode
    }
    return integer(unchecked: index)
  }

  /// Returns an element below the count, of a node of integers.
  @inline(__always)
  func integer(unchecked index: Int) -> Int64 {
    payload.withUnsafeBytes { bytes in
      switch width {
      case 0: return 0
      case 8: return Int64(bytes.load(fromByteOffset: index, as: Int8.self))
      case 16:
        let word = bytes.loadUnaligned(fromByteOffset: index &* 2, as: Int16.self)
        return Int64(Int16(littleEndian: word))
      case 32:
        let word = bytes.loadUnaligned(fromByteOffset: index &* 4, as: Int32.self)
        return Int64(Int32(littleEndian: word))
      case 64:
        let word = bytes.loadUnaligned(fromByteOffset: index &* 8, as: Int64.self)
        return Int64(littleEndian: word)
      default:
        let bit = index &* width
        let byte = bytes.load(fromByteOffset: bit >> 3, as: UInt8.self)
        return Int64(byte >> UInt8(bit & 7) & (1 << UInt8(width) &- 1))
      }
    }
  }

  /// Returns an element of an unsigned array, such as keys and offsets.
  func unsigned(_ index: Int) throws(RealmError) -> UInt64 {
    let bits = UInt64(bitPattern: try integer(index))
    return width == 64 || width == 0 ? bits : bits & (1 << UInt64(width) &- 1)
  }

  /// Returns the number in a tagged element.
  func tagged(_ index: Int) throws(RealmError) -> UInt64 {
    let element = try integer(index)
    guard element & 1 == 1 else { throw .misplaced("numbers") }
    return UInt64(bitPattern: element) >> 1
  }

  /// Returns the reference in an element; nil if there is none.
  func ref(_ index: Int) throws(RealmError) -> Int? {
    let element = try integer(index)
    guard element != 0 else { return nil }
    guard hasRefs, element > 0, element & 7 == 0 else {
      throw .invalidReference
    }
    return Int(element)
  }

  /// Returns the reference in an element; throws if there is none.
  func requiredRef(_ index: Int) throws(RealmError) -> Int {
    guard let ref = try ref(index) else { throw .missing("reference") }
    return ref
  }

  /// Returns the number in an optional tagged element; nil if there is none.
  func optionalTagged(_ index: Int) throws(RealmError) -> UInt64? {
    guard index < count else { return nil }
    let element = try integer(index)
    return element & 1 == 1 ? UInt64(bitPattern: element) >> 1 : nil
  }

  /// Returns the reference in an optional element; nil if there is none.
  func optionalRef(_ index: Int) throws(RealmError) -> Int? {
    index < count ? try ref(index) : nil
  }

  /// Returns the bytes of an element whose width is in bytes.
  func element(_ index: Int) throws(RealmError) -> ArraySlice<UInt8> {
    guard layout == .bytes, index >= 0, index < count else {
      throw .outsideNode
    }
    return payload[(index * width)..<((index + 1) * width)]
  }
}
