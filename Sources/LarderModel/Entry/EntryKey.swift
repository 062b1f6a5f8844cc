/// The key of an entry, with its type.
///
/// The integer 42 and the text "42" are different keys. Two keys are equal if their stored bytes
/// are: text is compared byte by byte, never by Unicode equivalence, as a store may contain both
/// spellings of "é".
public enum EntryKey: Sendable {
  /// Null, which SQLite allows in some primary keys.
  case null
  /// A signed whole number.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// Text that is valid UTF-8.
  case text(String)
  /// Text whose bytes are not valid UTF-8.
  case malformedText([UInt8])
  /// Bytes.
  case bytes([UInt8])
  /// Several parts, in the order of the key's columns.
  case composite([EntryKey])
}

extension EntryKey {
  /// Creates a key from a store's text bytes: text, or malformed text if they are not UTF-8.
  public init(textBytes: some Collection<UInt8>) {
    if let text = String(validating: textBytes, as: UTF8.self) {
      self = .text(text)
    } else {
      self = .malformedText(Array(textBytes))
    }
  }

  /// The rank of the key's type in the order of keys, as in SQLite.
  fileprivate var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text, .malformedText: 2
    case .bytes: 3
    case .composite: 4
    }
  }
}

extension EntryKey: Equatable {
  /// Whether both keys have the same type and the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.text(let left), .text(let right)): left.hasBytes(of: right)
    case (.malformedText(let left), .malformedText(let right)): left == right
    case (.bytes(let left), .bytes(let right)): left == right
    case (.composite(let left), .composite(let right)): left == right
    default: false
    }
  }
}

extension EntryKey: Hashable {
  /// Feeds the key's type and bytes to the hasher.
  public func hash(into hasher: inout Hasher) {
    // The types have distinct discriminators because equal hashes are sometimes taken for equal
    // keys.
    switch self {
    case .null: hasher.combine(0)
    case .integer(let number):
      hasher.combine(1)
      hasher.combine(number)
    case .real(let number):
      hasher.combine(2)
      hasher.combine(number.bitPattern)
    case .text(var text):
      hasher.combine(3)
      hasher.combine(text.utf8.count)
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .malformedText(let bytes):
      hasher.combine(4)
      hasher.combine(bytes)
    case .bytes(let bytes):
      hasher.combine(5)
      hasher.combine(bytes)
    case .composite(let parts):
      hasher.combine(6)
      hasher.combine(parts)
    }
  }
}

extension EntryKey: Comparable {
  /// Orders keys like SQLite's binary collation: null, numbers, text, bytes, then composites.
  ///
  /// The order is total: an integer precedes an equal real, and the negative zero precedes the
  /// positive.
  public static func < (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)):
      left.bitPattern != right.bitPattern && left.isTotallyOrdered(belowOrEqualTo: right)
    case (.integer(let left), .real(let right)): left.isAtMost(right)
    case (.real(let left), .integer(let right)): !right.isAtMost(left)
    case (.text(let left), .text(let right)):
      left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.text(let left), .malformedText(let right)):
      left.utf8.lexicographicallyPrecedes(right)
    case (.malformedText(let left), .text(let right)):
      left.lexicographicallyPrecedes(right.utf8)
    case (.malformedText(let left), .malformedText(let right)),
      (.bytes(let left), .bytes(let right)):
      left.lexicographicallyPrecedes(right)
    case (.composite(let left), .composite(let right)): left.lexicographicallyPrecedes(right)
    default: left.rank < right.rank
    }
  }
}

extension Int64 {
  /// Whether this integer is less than or equal to a real, compared without rounding.
  fileprivate func isAtMost(_ number: Double) -> Bool {
    if number >= 0x1p63 || number.isNaN { return true }
    return number >= -0x1p63 && self <= Int64(number.rounded(.down))
  }
}
