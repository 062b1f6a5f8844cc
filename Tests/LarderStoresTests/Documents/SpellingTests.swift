import Foundation
import Harmony
import LarderCore
import LarderStores
import Testing

/// Values that are the same, and are spelled otherwise.
struct SpellingTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  private func store(_ text: String) async throws -> Store {
    try await bench.open(try bench.folder.write(Array(text.utf8), to: "test.json"))
  }

  private func fingerprint(_ text: String, _ key: EntryKey = .text("a")) async throws
    -> Fingerprint?
  {
    try await store(text).source.get(EntryQuery(key)).get().fingerprint
  }

  @Test(arguments: [
    (#""A""#, #""\u0041""#), (#""é""#, #""\u00e9""#), (#""\u00e9""#, #""\u00E9""#),
    (#""a/b""#, #""a\/b""#), (#""\n""#, #""\u000a""#), (#"["A", 1]"#, #"["\u0041", 1]"#),
    (#"["A", "\u0041"]"#, #"["\u0041", "A"]"#), (#"{"A": 1}"#, #"{"\u0041": 1}"#),
    (#"[/* "\u0041" */ "A"]"#, #"[/* "A" */ "\u0041"]"#),
  ])
  func `Another spelling has another fingerprint`(one: String, other: String) async throws {
    let first = try await fingerprint("{\"a\": \(one)}")
    let second = try await fingerprint("{\"a\": \(other)}")
    #expect(first != nil && first != second)
    #expect(try await fingerprint("{\"b\": 1,  \"a\": \(one)}") == first)
  }

  @Test(arguments: [
    ("A", "&#65;"), ("A", "<![CDATA[A]]>"), ("a&gt;b", "a>b"), ("a&#13;b", "a&#xD;b"),
  ])
  func `Another spelling in XML has another fingerprint`(one: String, other: String) async throws {
    let lists: (String) -> String = {
      "<plist version=\"1.0\"><dict><key>a</key><array><string>x</string>\($0)</array></dict></plist>"
    }
    let maps: (String) -> String = { "<?xml version='1.0'?><map><set name=\"a\">\($0)</set></map>" }
    for text in [lists, maps] {
      let first = try await fingerprint(text("\n<string>\(one)</string>"))
      let second = try await fingerprint(text("\n<string>\(other)</string>"))
      #expect(first != nil && first != second)
      #expect(try await fingerprint(text("<string>\(one)</string> <!-- c -->")) == first)
    }
  }

  @Test func `The usual spelling has the fingerprint of the value`() async throws {
    let text = "{\"a\": \"\\\"\\\\\\n\\t\\r\\b\\f\\u0001 é\u{7F} / x\"}"
    let entry = try await store(text).source.get(EntryQuery(.text("a"))).get()
    #expect(entry.fingerprint == entry.value.map { Fingerprint(of: $0) })
  }

  @Test func `What another program spells otherwise is not overwritten`() async throws {
    let store = try await store(#"{"a": "A"}"#)
    let read = try await store.source.get(EntryQuery(.text("a"))).get()
    _ = try bench.folder.write(Array(#"{"a": "\u0041"}"#.utf8), to: "test.json")
    let query = ReplaceQuery(.text("a"), expecting: read.fingerprint)
    await #expect(throws: StoreError.self) {
      try await store.source.put(Entry(key: .text("a"), value: .text("B")), in: query).get()
    }
    #expect(try bench.folder.bytes("test.json") == Array(#"{"a": "\u0041"}"#.utf8))
  }

  @Test func `A value comes back after other changes of the file, however it was spelled`()
    async throws
  {
    let store = try await store(#"{"a": "\u0041", "b": 1}"#)
    try await store.set(.text("x"), .text("a"))
    // Now the bytes of the file are not those that the step has left.
    let text = String(decoding: try bench.folder.bytes("test.json"), as: UTF8.self)
    _ = try bench.folder.write(
      Array(text.replacing("1", with: "2").utf8), to: "test.json")
    try await bench.undo(store)
    #expect(try await store.value(.text("a")) == .text("A"))
    try await bench.undo(store, redo: true)
    #expect(try await store.value(.text("a")) == .text("x"))
    #expect(try await store.value(.text("b")) == .integer(2))
  }
}
