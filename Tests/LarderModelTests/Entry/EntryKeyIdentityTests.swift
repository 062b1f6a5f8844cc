import TestSamples
import LarderModel
import Testing

/// Equality and order of keys.
@Suite struct EntryKeyIdentityTests {
  @Test(
    arguments: [
      ("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{AC00}", "\u{1100}\u{1161}"),
    ])
  func textsThatOnlyUnicodeHoldsForEqualAreDifferentKeys(_ left: String, _ right: String) {
    #expect(left == right)
    let keys = [EntryKey.text(left), .text(right)]
    #expect(keys[0] != keys[1])
    #expect(Set(keys).count == 2)
    #expect(keys[0].cacheKey != keys[1].cacheKey)
    #expect((keys[0] < keys[1]) != (keys[1] < keys[0]))
  }

  @Test func keysOfDifferentTypesAreDifferent() {
    let keys: [EntryKey] = [
      .null, .integer(42), .real(42), .text("42"), .bytes(Array("42".utf8)), .text("null"),
      .composite([.integer(42)]), .composite([.text("42")]), .real(0), .real(-0.0), .integer(0),
      .composite([]), .malformedText([0xFF]), .bytes([0xFF]),
    ]
    #expect(Set(keys).count == keys.count)
  }

  @Test func bytesBecomeTextOnlyWhereTheyAreUTF8() {
    #expect(EntryKey(textBytes: Array("é".utf8)) == .text("é"))
    #expect(EntryKey(textBytes: [0xC3]) == .malformedText([0xC3]))
  }

  @Test func `Keys are ordered as in SQLite`() {
    let sorted: [EntryKey] = [
      .null, .real(-.infinity), .integer(.min), .integer(-1), .integer(0), .real(0.5), .integer(1),
      .real(9_007_199_254_740_992), .integer(9_007_199_254_740_993), .integer(.max), .real(1e19),
      .text(""), .text("B"), .text("a"), .text("a\0"), .text("ab"), .malformedText([0x61, 0xFF]),
      .text("b"), .bytes([]), .bytes([0]), .bytes([0, 1]), .bytes([1]),
      .composite([.integer(1)]), .composite([.integer(1), .null]), .composite([.integer(2)]),
    ]
    for (place, key) in sorted.enumerated() {
      for (other, otherKey) in sorted.enumerated() {
        #expect((key < otherKey) == (place < other), "\(key) and \(otherKey)")
      }
    }
  }

  @Test func `Of two keys one is less or they are equal`() {
    var random = SampleGenerator()
    let keys = (0..<120).map { _ in EntryKeyNotationTests.key(&random, depth: 1) }
    for left in keys {
      for right in keys {
        let count = [left < right, right < left, left == right].count { $0 }
        #expect(count == 1, "\(left) and \(right), seed \(random.seed)")
      }
    }
  }
}
