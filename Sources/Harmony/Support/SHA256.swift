import CDigest

/// An incremental SHA-256 digest as defined in FIPS 180-4.
///
/// The toolchain has no cryptography on Linux. This implementation is checked against the published
/// test vectors.
package struct SHA256 {
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]

  private typealias State = (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)

  private var state: State = (
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19
  )
  private typealias Block = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// The bytes that do not fill a block yet.
  private var block: Block = (0, 0, 0, 0, 0, 0, 0, 0)
  private var filled = 0
  private var length: UInt64 = 0

  /// Whether the processor has SHA-256 instructions.
  private static let hasInstructions = cd_has_sha256() != 0
  private let usesInstructions: Bool

  /// Creates the digest of an empty message.
  ///
  /// - Parameter usesInstructions: Whether to use the processor's instructions, if available; they
  ///   take a fraction of the time.
  package init(usesInstructions: Bool = true) {
    self.usesInstructions = usesInstructions && Self.hasInstructions
  }

  /// Adds bytes to the digest.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { update($0) }
    if isDone == nil {
      Array(bytes).withUnsafeBufferPointer { update($0) }
    }
  }

  /// Adds bytes to the digest.
  package mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
    update(UnsafeRawBufferPointer(bytes))
  }

  /// Adds the eight bytes of a number to the digest, in big-endian order.
  package mutating func update(_ word: UInt64) {
    withUnsafeBytes(of: word.bigEndian) { update($0) }
  }

  /// Adds bytes to the digest.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    length &+= UInt64(bytes.count)
    var start = 0
    if filled > 0 {
      start = min(64 - filled, bytes.count)
      add(bytes[..<start])
      guard filled == 64 else { return }
      let full = block
      withUnsafeBytes(of: full) { compress($0, from: 0) }
      filled = 0
    }
    compress(bytes, from: start)
    start += (bytes.count - start) & ~63
    add(bytes[start...])
  }

  /// Adds bytes that fit into the current block.
  private mutating func add(_ bytes: Slice<UnsafeRawBufferPointer>) {
    let filled = filled
    withUnsafeMutableBytes(of: &block) { block in
      guard bytes.count <= block.count - filled else { return }
      UnsafeMutableRawBufferPointer(rebasing: block[filled...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
    }
    self.filled = filled + bytes.count
  }

  /// Returns the first sixteen bytes of the digest as two big-endian words.
  package consuming func leadingWords() -> (UInt64, UInt64) {
    finish()
    return (UInt64(state.0) << 32 | UInt64(state.1), UInt64(state.2) << 32 | UInt64(state.3))
  }

  /// Adds the padding at the end of the message.
  private mutating func finish() {
    let bitCount = length &* 8
    var last: Block = (0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &last) { last in
      withUnsafeBytes(of: block) {
        last.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<filled]))
      }
      last[filled] = 0x80
    }
    if filled >= 56 {
      withUnsafeBytes(of: last) { compress($0, from: 0) }
      last = (0, 0, 0, 0, 0, 0, 0, 0)
    }
    last.7 = bitCount.bigEndian
    withUnsafeBytes(of: last) { compress($0, from: 0) }
  }

  /// Returns the 32 bytes of the digest.
  package consuming func digest() -> [UInt8] {
    finish()
    return withUnsafeBytes(of: state) { words in
      [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
        for offset in stride(from: 0, to: 32, by: 4) {
          let word = words.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
          for place in 0..<4 {
            bytes.initializeElement(
              at: offset + place, to: UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * place)))
          }
        }
        count = 32
      }
    }
  }

  /// Mixes all complete blocks of 64 bytes into the state.
  private mutating func compress(_ bytes: UnsafeRawBufferPointer, from start: Int) {
    guard start >= 0, bytes.count - start >= 64 else { return }
    guard usesInstructions else {
      for place in stride(from: start, through: bytes.count - 64, by: 64) {
        compressBlock(bytes, from: place)
      }
      return
    }
    let blocks = UnsafeRawBufferPointer(rebasing: bytes[start...])
    withUnsafeMutableBytes(of: &state) {
      guard let words = $0.assumingMemoryBound(to: UInt32.self).baseAddress else { return }
      cd_sha256(words, Self.constants, blocks.baseAddress, blocks.count / 64)
    }
  }

  /// Mixes a block of 64 bytes into the state.
  ///
  /// The message schedule is a circular buffer of sixteen words. The loops need no bounds checks,
  /// because every index is masked or constant.
  private mutating func compressBlock(_ bytes: UnsafeRawBufferPointer, from start: Int) {
    guard start >= 0, bytes.count - start >= 64 else { return }
    let block = UnsafeRawBufferPointer(rebasing: bytes[start...])
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 16) { words in
      Self.constants.withUnsafeBufferPointer { constants in
        for index in 0..<16 {
          words[index] = UInt32(
            bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
        }
        var (a, b, c, d, e, f, g, h) = state
        for index in stride(from: 0, to: 64, by: 8) {
          if index >= 16 {
            for word in index..<index &+ 8 { Self.extend(words, word) }
          }
          let word = { words[(index &+ $0) & 15] &+ constants[index &+ $0] }
          // The rounds rotate their variables by renaming, which avoids moving them.
          Self.round(a, b, c, &d, e, f, g, &h, word(0))
          Self.round(h, a, b, &c, d, e, f, &g, word(1))
          Self.round(g, h, a, &b, c, d, e, &f, word(2))
          Self.round(f, g, h, &a, b, c, d, &e, word(3))
          Self.round(e, f, g, &h, a, b, c, &d, word(4))
          Self.round(d, e, f, &g, h, a, b, &c, word(5))
          Self.round(c, d, e, &f, g, h, a, &b, word(6))
          Self.round(b, c, d, &e, f, g, h, &a, word(7))
        }
        state.0 &+= a
        state.1 &+= b
        state.2 &+= c
        state.3 &+= d
        state.4 &+= e
        state.5 &+= f
        state.6 &+= g
        state.7 &+= h
      }
    }
  }

  /// Replaces a word of the schedule with the one sixteen positions later.
  @inline(__always)
  private static func extend(_ words: UnsafeMutableBufferPointer<UInt32>, _ index: Int) {
    let first = words[(index &+ 1) & 15]
    let second = words[(index &+ 14) & 15]
    let small = rotate(first, 7) ^ rotate(first, 18) ^ (first &>> 3)
    let large = rotate(second, 17) ^ rotate(second, 19) ^ (second &>> 10)
    words[index & 15] &+= small &+ words[(index &+ 9) & 15] &+ large
  }

  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32,
    _ g: UInt32, _ h: inout UInt32, _ word: UInt32
  ) {
    let mix = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    let first = h &+ mix &+ (g ^ (e & (f ^ g))) &+ word
    let spread = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    d &+= first
    h = first &+ spread &+ ((a & b) | (c & (a | b)))
  }

  @inline(__always)
  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
  }
}
