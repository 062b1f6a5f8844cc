import Foundation

/// The MD5 digest of RFC 1321, for existing file names that use it.
///
/// It is not secure: two strings with the same digest are easy to create.
package enum MD5 {
  private static let shifts: [[UInt32]] = [
    [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
  ]

  private static let constants: [UInt32] = (1...64).map {
    UInt32(abs(sin(Double($0))) * 4_294_967_296)
  }

  /// Returns the 16 bytes of the digest.
  ///
  /// - Parameter bytes: The message.
  /// - Returns: The digest.
  package static func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
    var message = Array(bytes)
    let bitCount = UInt64(message.count) &* 8
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    withUnsafeBytes(of: bitCount.littleEndian) { message.append(contentsOf: $0) }
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    for start in stride(from: 0, to: message.count, by: 64) {
      let words = message[start..<start + 64].withUnsafeBytes { block in
        (0..<16).map {
          UInt32(littleEndian: block.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
        }
      }
      mix(words, into: &state)
    }
    return state.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
  }

  private static func mix(_ words: [UInt32], into state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for index in 0..<64 {
      let (mixed, word): (UInt32, Int) =
        switch index / 16 {
        case 0: (b & c | ~b & d, index)
        case 1: (d & b | ~d & c, (5 * index + 1) % 16)
        case 2: (b ^ c ^ d, (3 * index + 5) % 16)
        default: (c ^ (b | ~d), 7 * index % 16)
        }
      let sum = a &+ mixed &+ constants[index] &+ words[word]
      let shift = shifts[index / 16][index % 4]
      (a, d, c) = (d, c, b)
      b = b &+ (sum << shift | sum >> (32 - shift))
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
  }
}
