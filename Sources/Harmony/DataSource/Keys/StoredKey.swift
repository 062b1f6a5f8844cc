/// A key as stores compare it: by its bytes.
///
/// Text as such is equal if it looks equal, whatever its bytes. A store that keeps keys in a file
/// cannot follow that, and a browser that shows two keys must be able to tell them apart.
@usableFromInline
struct StoredKey: Hashable, Sendable {
  @usableFromInline let text: String

  @inlinable
  init(_ text: String) {
    self.text = text
  }

  @inlinable
  static func == (left: StoredKey, right: StoredKey) -> Bool {
    left.text.isIdenticallyStored(as: right.text) || hasSameBytes(left.text, right.text)
  }

  @inlinable
  func hash(into hasher: inout Hasher) {
    hasher.combine(text.withBytes { KeyBytes.fold($0) })
  }

  // What dictionaries call. `Hasher` works through a buffer, for keys of many parts, and takes
  // several times as long as the rest of finding a key.
  @inlinable
  func _rawHashValue(seed: Int) -> Int {
    let folded = text.withBytes { KeyBytes.fold($0) }
    return Int(truncatingIfNeeded: KeyBytes.mix(folded, UInt64(truncatingIfNeeded: seed)))
  }

  @usableFromInline
  static func hasSameBytes(_ left: String, _ right: String) -> Bool {
    left.withBytes { left in
      right.withBytes { right in KeyBytes.isEqual(left, right) }
    }
  }
}

/// Comparing and hashing the bytes of keys.
///
/// Hashes are made by multiplication with secrets of the process. As with `Hasher`, who does not
/// know the secrets cannot choose keys that collide.
@usableFromInline
enum KeyBytes {
  @usableFromInline static let secrets: (UInt64, UInt64) = (
    .random(in: 1 ... .max), .random(in: 1 ... .max)
  )

  /// Folds bytes into a number, eight at a time.
  @inlinable
  static func fold(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let secrets = secrets
    var result = secrets.0 ^ UInt64(truncatingIfNeeded: bytes.count)
    var offset = 0
    while offset &+ 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      result = mix(result ^ word, secrets.1)
      offset &+= 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset &+= 1
    }
    return mix(result ^ rest, secrets.1)
  }

  /// Whether two stretches of memory hold the same bytes, which are compared eight at a time.
  @inlinable
  static func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    var offset = 0
    while offset &+ 8 <= left.count {
      let word = left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard word == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else {
        return false
      }
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
    if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
      return result
    }
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
