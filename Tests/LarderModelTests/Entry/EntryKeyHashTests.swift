import LarderModel
import Testing

/// The hashes of keys, which are all that distinguishes keys in a stream.
struct EntryKeyHashTests {
  @Test func `Keys of different types with the same bits have different hashes`() {
    let keys: [EntryKey] = [
      .integer(.min), .real(-0.0), .integer(0), .real(0), .null, .text("a"), .bytes([0x61]),
      .malformedText([0x61]), .composite([.text("a")]), .composite([]), .text(""), .bytes([]),
    ]
    #expect(Set(keys.map(\.hashValue)).count == keys.count)
  }
}
