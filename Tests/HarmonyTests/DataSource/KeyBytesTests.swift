import Harmony
import Testing

@Suite struct KeyBytesTests {
  private let secrets = KeySecrets()

  private func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { KeyBytes.fold($0, secrets) }
  }

  @Test(arguments: [0, 0x61, 0xFF] as [UInt8])
  func `Keys that repeat one byte have different hashes for different lengths`(_ byte: UInt8) {
    let hashes = (0...300).map { hash(Array(repeating: byte, count: $0)) }
    #expect(Set(hashes).count == 301)
  }

  @Test(arguments: 1...70)
  func `Each byte of a key affects its hash`(_ count: Int) {
    let bytes = (0..<count).map { UInt8($0) }
    let others = bytes.indices.map { index in
      var other = bytes
      other[index] ^= 0x80
      return hash(other)
    }
    #expect(Set(others + [hash(bytes)]).count == count + 1)
  }

  @Test func `Hash collisions cannot be precomputed for all processes`() {
    let bytes = Array("a key of some length".utf8)
    #expect(hash(bytes) != bytes.withUnsafeBytes { KeyBytes.fold($0, KeySecrets()) })
  }
}
