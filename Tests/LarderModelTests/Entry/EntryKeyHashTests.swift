import LarderModel
import Testing

/// Hashes of keys, by which alone a stream of keys is told apart.
struct EntryKeyHashTests {
  @Test func `Keys of the same bits and other types have other hashes`() {
    let keys: [EntryKey] = [
      .integer(.min), .real(-0.0), .integer(0), .real(0), .null, .text("a"), .bytes([0x61]),
      .malformedText([0x61]), .composite([.text("a")]), .composite([]), .text(""), .bytes([]),
    ]
    #expect(Set(keys.map(\.hashValue)).count == keys.count)
  }
}
