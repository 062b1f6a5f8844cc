/// A key that is compared by its bytes, as stores do.
///
/// Swift strings are equal if they are canonically equivalent, whatever their bytes. A store that
/// keeps its keys in a file cannot follow that, and a browser must be able to distinguish two keys
/// that it shows.
@usableFromInline
struct StoredKey: Hashable, Sendable {
  @usableFromInline let text: String

  /// The hash, computed once.
  ///
  /// It is compared before the text, so that a collision in a table rarely compares texts.
  @usableFromInline let hash: UInt64

  @inlinable
  init(_ text: String, _ secrets: KeySecrets = .ofProcess) {
    self.text = text
    hash = text.withBytes { KeyBytes.fold($0, secrets) }
  }

  @inlinable
  static func == (left: StoredKey, right: StoredKey) -> Bool {
    left.hash == right.hash
      && (left.text.isIdenticallyStored(as: right.text) || hasSameBytes(left.text, right.text))
  }

  @inlinable
  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }

  // Called by dictionaries. `Hasher` buffers its input, for keys of many parts, and takes several
  // times as long as the rest of a lookup.
  @inlinable
  func _rawHashValue(seed: Int) -> Int {
    Int(truncatingIfNeeded: KeyBytes.mix(hash, UInt64(truncatingIfNeeded: seed)))
  }

  @usableFromInline
  static func hasSameBytes(_ left: String, _ right: String) -> Bool {
    left.withBytes { left in
      right.withBytes { right in KeyBytes.isEqual(left, right) }
    }
  }
}

/// The secrets that hashes of keys are computed with.
///
/// As with `Hasher`, no one who does not know them can choose keys that collide.
@usableFromInline
package struct KeySecrets: Sendable {
  @usableFromInline let first = UInt64.random(in: 1 ... .max)
  @usableFromInline let second = UInt64.random(in: 1 ... .max)

  package init() {}

  /// The secrets of this process.
  ///
  /// Sources store a copy, because reading a global takes two calls.
  @usableFromInline static let ofProcess = KeySecrets()
}

/// Functions that compare and hash the bytes of keys.
@usableFromInline
package enum KeyBytes {
  /// Hashes bytes, sixteen at a time.
  ///
  /// The last sixteen bytes may overlap the previous ones, and so may the halves of a shorter key,
  /// so that no byte is processed alone.
  @inlinable
  package static func fold(_ bytes: UnsafeRawBufferPointer, _ secrets: KeySecrets) -> UInt64 {
    let count = bytes.count
    // Multiplied, so that no byte of a longer key can compensate for a different length.
    var result = secrets.first &* UInt64(truncatingIfNeeded: 2 &* count &+ 1)
    var offset = 0
    while count &- offset > 16 {
      result = mix(result ^ word(bytes, offset), secrets.second ^ word(bytes, offset &+ 8))
      offset &+= 16
    }
    switch count {
    case 8...:
      let first = word(bytes, max(count &- 16, 0))
      return mix(result ^ first, secrets.second ^ word(bytes, count &- 8))
    case 4...:
      return mix(result ^ halfWord(bytes, 0), secrets.second ^ halfWord(bytes, count &- 4))
    case 1...:
      let ends = UInt64(bytes[0]) << 8 | UInt64(bytes[count &- 1])
      return mix(result ^ ends, secrets.second ^ UInt64(bytes[count / 2]))
    default:
      return mix(result, secrets.second)
    }
  }

  @inlinable
  static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inlinable
  static func halfWord(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Returns whether two regions of memory have the same bytes, comparing eight at a time.
  @inlinable
  static func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    var offset = 0
    while offset &+ 8 <= left.count {
      guard word(left, offset) == word(right, offset) else { return false }
      offset &+= 8
    }
    while offset < left.count {
      guard left[offset] == right[offset] else { return false }
      offset &+= 1
    }
    return true
  }

  /// Returns both halves of the product of two numbers, combined with XOR.
  @inlinable
  static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = (left ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: right ^ 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}

extension String {
  /// Calls a closure with the UTF-8 of this string, without copying it to the heap.
  @inlinable
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
      ?? withCopiedBytes(body)
  }

  /// Calls a closure with the UTF-8 of a string that is not stored as UTF-8, such as a bridged one.
  @inlinable
  @inline(never)
  func withCopiedBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var copy = self
    return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  /// Whether two strings have the same representation in memory, as short equal strings do.
  @inlinable
  func isIdenticallyStored(as other: String) -> Bool {
    guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size else { return false }
    return unsafeBitCast(self, to: (UInt64, UInt64).self)
      == unsafeBitCast(other, to: (UInt64, UInt64).self)
  }
}
