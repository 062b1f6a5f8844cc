import TestSamples
import Foundation
import Harmony
import LarderModel
import LarderFormats
import Testing

@Suite struct EntryLineTests {
  private static let keys: [EntryKey] = [
    .null, .integer(.min), .integer(42), .text("42"), .real(1), .real(-0.0), .real(1e300),
    .text(""), .text("é\u{1B}[31m\n"), .malformedText([0xFF]), .bytes([]), .bytes([0, 0xFF]),
    .composite([.text("a"), .null, .integer(1), .bytes([1])]),
  ]

  @Test func `An entry survives a round trip to the last bit`() throws {
    var random = SampleGenerator()
    for number in 0..<1_000 {
      var value = random.value(depth: 3)
      if number % 4 == 0 {
        value = .record([.init("date", value), .init("base64", .text("AA=="))])
      }
      let line = EntryLine(
        key: Self.keys[number % Self.keys.count], value: value,
        expires: [Date(timeIntervalSinceReferenceDate: 1.25), .distantFuture, nil][number % 3])
      let text = line.text(modified: .now)
      #expect(try EntryLine(text.utf8) == line, "\(text), seed \(random.seed)")
      #expect(!text.utf8.contains { $0 < 0x20 })
    }
  }

  @Test func `An entry that never expires in a cache is exported as never`() throws {
    let moment = Date(timeIntervalSinceReferenceDate: 10)
    func store(_ capabilities: StoreCapabilities) -> Store {
      Store(
        kind: StoreKind(name: "test", recognizedBy: "", collections: "", keys: ""),
        location: StoreLocation(path: "cache"), capabilities: capabilities,
        keyStyle: .typed, source: AnyDataSource(VoidDataSource<Entry>()))
    }
    let cache = store(.cache)
    let endless = Entry(key: .text("k"), value: .text("v"), modified: moment)
    #expect(endless.expiresAt(in: cache) == .distantFuture)
    #expect(endless.counts(until: .distantFuture) && !endless.counts(until: moment))
    // An entry that is not cached has no expiry, nor has any entry of a store that is not a cache.
    let backing = Entry(key: .text("k"), value: .text("v"))
    #expect(backing.expiresAt(in: cache) == nil && !backing.counts(until: .distantFuture))
    #expect(endless.expiresAt(in: store([])) == nil)
    var timed = endless
    timed.expires = moment
    #expect(timed.expiresAt(in: cache) == moment)
    #expect(timed.counts(until: moment + 0.5) && !timed.counts(until: moment + 2))
    #expect(!timed.counts(until: .distantFuture))
    let line = EntryLine(key: .text("k"), value: .text("v"), expires: .distantFuture).text()
    #expect(line == #"{"key":"k","type":"text","value":"v","expires":"never"}"#)
  }

  @Test(
    arguments: [
      .dictionary([.init("base64", .text("AA=="))]), .dictionary([.init("date", .text("@1"))]),
      .dictionary([.init("dictionary", .dictionary([.init("url", .text("x"))]))]),
      .record([.init("uuid", .text("E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))]),
      .array([.dictionary([.init("real", .text("nan"))])]), .number("1.50"), .number("1e5"),
      .number("18446744073709551616"), .real(-.nan), .real(Double(nan: 5, signaling: false)),
      .date(Date(timeIntervalSinceReferenceDate: -1e-20)),
      .date(Date(timeIntervalSinceReferenceDate: -0.0)), .text("\u{2028}"), .null,
    ] as [StoredValue])
  func `A value that looks like another type keeps its type`(value: StoredValue) throws {
    let line = EntryLine(key: .text("k"), value: value)
    #expect(try EntryLine(line.text().utf8) == line)
  }

  @Test(arguments: [
    ("", "it is not JSON"), ("[1]", "not a JSON object"), ("{\"value\":1}", "no \"key\""),
    ("{\"key\":1}", "no \"value\""), ("{\"key\":{},\"value\":1}", "cannot be a key"),
    ("{\"key\":[{}],\"value\":1}", "cannot be a key"),
    ("{\"key\":1,\"type\":\"thing\",\"value\":1}", "not one of null, bool"),
    ("{\"key\":1,\"type\":\"data\",\"value\":\"x\"}", "of type text, not data"),
    ("{\"key\":1,\"key\":2,\"value\":\"x\"}", "\"key\" twice"),
  ])
  func `A line that is not an entry is refused with the reason`(line: String, reason: String) {
    #expect {
      try EntryLine(line.utf8)
    } throws: { error in
      "\(error)".contains(reason)
    }
  }

  @Test func `A key prefix is replaced in text, bytes and numbers`() {
    func renamed(_ key: EntryKey) -> EntryKey? {
      key.replacing(prefix: "4", with: "5:", style: .typed)
    }
    #expect(renamed(.text("4a")) == .text("5:a"))
    #expect(renamed(.malformedText([0x34, 0xFF])) == .malformedText([0x35, 0x3A, 0xFF]))
    #expect(renamed(.text("a")) == nil)
    #expect(EntryKey.integer(42).replacing(prefix: "4", with: "5", style: .typed) == .integer(52))
  }
}
