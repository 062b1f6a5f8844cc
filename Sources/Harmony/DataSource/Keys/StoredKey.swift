/// A key as stores compare it: by its bytes.
///
/// Text as such is equal if it looks equal, whatever its bytes. A store that keeps keys in a file
/// cannot follow that, and a browser that shows two keys must be able to tell them apart.
@usableFromInline
struct StoredKey: Hashable, Sendable {
  @usableFromInline let text: String

  /// Made once, and compared before the text: where a search meets another key, the texts need not
  /// be looked at.
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

  // What dictionaries call. `Hasher` works through a buffer, for keys of many parts, and takes
  // several times as long as the rest of finding a key.
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

/// What hashes of keys are multiplied with.
///
/// As with `Hasher`, who does not know it cannot choose keys that collide.
@usableFromInline
package struct KeySecrets: Sendable {
  @usableFromInline let first = UInt64.random(in: 1 ... .max)
  @usableFromInline let second = UInt64.random(in: 1 ... .max)

  package init() {}

  /// The secrets of this process, of which sources keep a copy: a look at a global is two calls.
  @usableFromInline static let ofProcess = KeySecrets()
}

/// Comparing and hashing the bytes of keys.
@usableFromInline
package enum KeyBytes {
  /// Folds bytes into a number, sixteen at a time.
  ///
  /// The last sixteen may overlap those before, and the halves of fewer each other, so that no byte
  /// is taken alone.
  @inlinable
  package static func fold(_ bytes: UnsafeRawBufferPointer, _ secrets: KeySecrets) -> UInt64 {
    let count = bytes.count
    // Multiplied, as no byte of a longer key can make up for another length then.
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

  /// Whether two stretches of memory hold the same bytes, which are compared eight at a time.
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

  /// Both halves of the product of two numbers, made one.
  @inlinable
  static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = (left ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: right ^ 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}

extension String {
  /// Calls a closure with the UTF-8 of this text, without a copy on the heap.
  @inlinable
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
      ?? withCopiedBytes(body)
  }

  /// Calls a closure with the UTF-8 of a text that is held otherwise, as those of other languages.
  @inlinable
  @inline(never)
  func withCopiedBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    var copy = self
    return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  /// Whether this text and another are one in memory, which short texts with the same bytes are.
  @inlinable
  func isIdenticallyStored(as other: String) -> Bool {
    guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size else { return false }
    return unsafeBitCast(self, to: (UInt64, UInt64).self)
      == unsafeBitCast(other, to: (UInt64, UInt64).self)
  }
}
