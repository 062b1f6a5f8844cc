import LarderModel

/// A structure that a format decoded, complete or partial.
struct DecodedStructure {
  /// The maximum size, in bytes, of data that is decoded.
  static let maximumSize = 1 << 20

  /// Returns the bytes of text or data, or nil if they are too many to decode.
  static func bytes(of value: StoredValue) -> [UInt8]? {
    let count =
      switch value {
      case .text(let text): text.utf8.count
      case .data(let bytes), .malformedText(let bytes): bytes.count
      default: Int.max
      }
    return count <= maximumSize ? ValueFormat.bytes(of: value) : nil
  }

  /// The decoded value.
  var value: StoredValue
  /// A description for the heading, such as the version of the format.
  var detail: String?
  /// The reason why the rest could not be decoded, if it could not.
  var problem: String?
  /// Whether members were left out because there are too many of them.
  var isCut = false
}

/// Decoded objects and the one that they belong to.
///
/// The structure is built on demand, because recognition does not need it.
struct DecodedObjects {
  var graph: ObjectGraph
  /// The index of the outermost object, or nil if there is none.
  var root: Int?
  var detail: String?
  var problem: String?

  /// The outermost object and its members.
  var structure: DecodedStructure {
    var structure = root.map { graph.structure(of: $0) } ?? DecodedStructure(value: .null)
    structure.detail = detail
    structure.problem = problem
    return structure
  }
}

extension DecodedValue {
  /// Wraps a decoded structure under a heading that names its format.
  ///
  /// The value itself is wrapped if it could not be decoded.
  init(_ name: String, _ decoded: DecodedStructure?, of value: StoredValue) {
    let bytes = ValueFormat.bytes(of: value)
    let head = Messages.decoded(
      name, (decoded?.detail.map { $0 + ", " } ?? "") + Self.bytes(bytes.count),
      problem: decoded?.problem, isCut: decoded?.isCut ?? false)
    self.init(decoded?.value ?? value, head: head)
  }
}

extension StoredValue {
  /// The value as the name of a member: text as it is, and other values as JSON.
  ///
  /// JSON is truncated, because quotes that are quoted again would grow with each level.
  var memberName: String {
    switch self {
    case .text(let text): return text
    case .integer(let number): return String(number)
    case .number(let digits): return digits
    case .data(let bytes):
      if let text = bytes.plainText { return text }
    default: break
    }
    let json = JSONText.encode(self)
    let maximum = 256
    guard json.utf8.count > maximum else { return json }
    return String(lossy: json.utf8.prefix(maximum)) + "…"
  }

  /// Creates text from a string of bytes, or data if they are not UTF-8.
  init(stringBytes bytes: some Collection<UInt8>) {
    self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .data(Array(bytes))
  }

  /// Creates an integer of any size.
  ///
  /// - Parameters:
  ///   - magnitude: The bytes of the magnitude, the most significant first.
  ///   - isNegative: Whether the integer is negative.
  ///   - carry: A number that is added to the magnitude.
  init(magnitude: some Collection<UInt8>, isNegative: Bool, carry: UInt8 = 0) {
    let bytes = Array(magnitude.drop { $0 == 0 })
    let sign = isNegative ? "-" : ""
    guard bytes.count <= DecimalDigits.maximum else {
      self = .text(sign + "0x" + EntryKey.hex(bytes))
      return
    }
    var digits = DecimalDigits(bytes, radix: 256)
    digits.add(carry, radix: 1)
    let text = digits.text
    self.init(digits: text == "0" ? text : sign + text)
  }

  /// Creates an integer from two's complement bytes, the least significant first.
  init(twosComplement bytes: some BidirectionalCollection<UInt8>) {
    let isNegative = bytes.last.map { $0 >= 0x80 } ?? false
    self.init(
      magnitude: bytes.reversed().map { isNegative ? ~$0 : $0 }, isNegative: isNegative,
      carry: isNegative ? 1 : 0)
  }
}
