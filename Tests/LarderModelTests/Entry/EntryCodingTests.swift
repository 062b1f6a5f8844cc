import TestSamples
import LarderModel
import Testing

@Suite struct EntryCodingTests {
  @Test func `Values and keys survive a round trip, and truncated ones are refused`() {
    var random = SampleGenerator()
    for _ in 0..<500 {
      let value = random.value(depth: 3)
      let bytes = EntryCoding.encode(value)
      #expect(EntryCoding.value(bytes) == value, "seed \(random.seed)")
      for length in 0..<min(bytes.count, 40) {
        #expect(EntryCoding.value(Array(bytes.prefix(length))) == nil)
      }
      #expect(EntryCoding.value(bytes + [0]) == nil)
    }
    let keys: [EntryKey] = [
      .null, .integer(.min), .real(-0.0), .text("é"), .malformedText([0xFF]), .bytes([]),
      .composite([.text("a"), .null, .composite([.integer(1)])]),
    ]
    for key in keys { #expect(EntryCoding.key(EntryCoding.encode(key)) == key) }
  }

  @Test func `A form and a fingerprint can precede a value, together or alone`() {
    let value = StoredValue.integer(7)
    let fingerprint = Fingerprint(of: value, spelled: Array("007".utf8))
    for form in [nil, "long"] {
      for kept in [nil, fingerprint] {
        let bytes = EntryCoding.encode(value, form: form, fingerprint: kept)
        #expect(EntryCoding.value(bytes) == value)
        #expect(EntryCoding.form(bytes) == form)
        #expect(EntryCoding.fingerprint(bytes) == kept)
      }
    }
  }

  @Test func `Hostile counts and depths are refused`() {
    let huge: [UInt8] = [11] + [UInt8](repeating: 0xFF, count: 8)
    #expect(EntryCoding.value(huge) == nil)
    let one: [UInt8] = [11, 0, 0, 0, 0, 0, 0, 0, 1]
    let deep = Array([[UInt8]](repeating: one, count: 100_000).joined()) + [0]
    #expect(EntryCoding.value(deep) == nil)
    #expect(EntryCoding.value([12] + huge.dropFirst()) == nil)
  }
}
