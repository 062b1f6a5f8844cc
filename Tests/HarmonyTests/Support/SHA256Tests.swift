import HarmonyTesting
import Testing

@testable import Harmony

@Suite struct SHA256Tests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    .joined()
  }

  private func digest(_ text: String, usesInstructions: Bool = true) -> String {
    var hash = SHA256(usesInstructions: usesInstructions)
    hash.update(text.utf8)
    return hex(hash.digest())
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `Digests match the published test vectors`(message: String, expected: String) {
    #expect(digest(message) == expected)
    #expect(digest(message, usesInstructions: false) == expected)
  }

  @Test func `Hashing in pieces gives the same digest`() {
    let message = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var whole = SHA256()
    whole.update(message)
    let expected = whole.digest()
    for size in [1, 3, 55, 56, 63, 64, 65, 127, 128, 999] {
      var pieces = SHA256()
      for start in stride(from: 0, to: message.count, by: size) {
        pieces.update(message[start..<min(start + size, message.count)])
      }
      #expect(pieces.digest() == expected, "pieces of \(size)")
    }
  }

  @Test func `The processor's SHA instructions give the same digest as plain code`() {
    var generator = SeededGenerator(seed: 256)
    for length in 0..<300 {
      // Starts at an odd offset in memory.
      let bytes = (0..<length + 1).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      var (quick, plain) = (SHA256(), SHA256(usesInstructions: false))
      quick.update(bytes[1...])
      plain.update(bytes[1...])
      #expect(quick.digest() == plain.digest(), "\(length) bytes")
    }
  }

  @Test func `Lengths around the block size are padded correctly`() {
    let known = [
      55: "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318",
      56: "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a",
      64: "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb",
    ]
    for (length, expected) in known {
      #expect(digest(String(repeating: "a", count: length)) == expected)
      #expect(digest(String(repeating: "a", count: length), usesInstructions: false) == expected)
    }
  }
}
