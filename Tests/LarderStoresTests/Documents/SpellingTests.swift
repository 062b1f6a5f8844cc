import LarderJournal
import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

/// Equal values that are spelled differently.
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
  func `A different spelling has a different fingerprint`(one: String, other: String) async throws {
    let first = try await fingerprint("{\"a\": \(one)}")
    let second = try await fingerprint("{\"a\": \(other)}")
    #expect(first != nil && first != second)
    #expect(try await fingerprint("{\"b\": 1,  \"a\": \(one)}") == first)
  }

  @Test(arguments: [
    ("A", "&#65;"), ("A", "<![CDATA[A]]>"), ("a&gt;b", "a>b"), ("a&#13;b", "a&#xD;b"),
  ])
  func `A different spelling in XML has a different fingerprint`(one: String, other: String)
    async throws
  {
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

  private static func list(_ value: String) -> String {
    "<plist version=\"1.0\"><dict><key>a</key>\(value)<key>b</key><true/></dict></plist>"
  }
  private static func map(_ value: String) -> String {
    "<?xml version='1.0'?><map>\(value)<boolean name=\"b\" value=\"true\"/></map>"
  }

  @Test(arguments: [
    (list("<integer>16</integer>"), list("<integer>0x10</integer>")),
    (list("<integer>16</integer>"), list("<integer>+16</integer>")),
    (list("<array><real>1.5</real></array>"), list("<array><real>+1.5</real></array>")),
    (map("<int name=\"a\" value=\"7\"/>"), map("<int name=\"a\" value=\"007\"/>")),
    (map("<boolean name=\"a\" value=\"true\"/>"), map("<boolean name=\"a\" value=\"TRUE\"/>")),
    (map("<int name=\"a\" value=\"7\"/>"), map("<long name=\"a\" value=\"7\"/>")),
  ])
  func `The spelling and type of a number are part of its fingerprint`(one: String, other: String)
    async throws
  {
    let first = try await fingerprint(one)
    let second = try await fingerprint(other)
    #expect(first != nil && first != second)
  }

  @Test(arguments: [
    "<integer> 16\n</integer>", "<data>\n\tAQID\n\tBA==\n\t</data>", "<real>1e3</real>",
    "<date>2020-01-01T00:00:00Z</date>",
  ])
  func `Whitespace around values in a property list is not part of the spelling`(value: String)
    async throws
  {
    let entry = try await store(Self.list(value)).source.get(EntryQuery(.text("a"))).get()
    #expect(entry.fingerprint == entry.value.map { Fingerprint(of: $0) })
  }

  /// The original text, the value that larder writes, and the same value with the spelling or type
  /// of another program.
  @Test(
    arguments: [
      (#"{"a": "x"}"#, .text("A"), #"{"a": "\u0041"}"#),
      (#"{"a": 1.0}"#, .real(2), #"{"a": 2.00}"#),
      (list("<string>x</string>"), .text("A"), list("<string>&#65;</string>")),
      (list("<integer>1</integer>"), .integer(16), list("<integer>0x10</integer>")),
      (
        map("<string name=\"a\">x</string>"), .text("A"),
        map("<string name=\"a\"><![CDATA[A]]></string>")
      ),
      (
        map("<int name=\"a\" value=\"1\"/>"), .integer(7), map("<int name=\"a\" value=\"007\"/>")
      ),
      (
        map("<int name=\"a\" value=\"1\"/>"), .integer(7), map("<long name=\"a\" value=\"7\"/>")
      ),
    ] as [(String, StoredValue, String)])
  func `Undo does not overwrite a value that another program spelled or typed differently`(
    before: String, value: StoredValue, theirs: String
  ) async throws {
    let store = try await store(before)
    try await bench.put(store, .text("a"), value)
    let mine = try bench.folder.bytes("test.json")
    _ = try bench.folder.write(Array(theirs.utf8), to: "test.json")
    await #expect(throws: StoreError.self) { try await bench.undo(store) }
    #expect(try bench.folder.bytes("test.json") == Array(theirs.utf8))
    _ = try bench.folder.write(mine, to: "test.json")
    try await bench.undo(store)
    #expect(try bench.folder.bytes("test.json") == Array(before.utf8))
  }

  /// A file with unusual spellings, for changes that are undone, redone and undone again while
  /// another program changes another value each time.
  ///
  /// Among names, a restored one then comes last.
  @Test(arguments: [
    #"{"n": 0, "a": ["\u0041", 77, "\u0042"]}"#, #"{"n": 0, "a": {"x": "\u0041", "y": "\/"}}"#,
    "<plist version=\"1.0\"><dict><key>n</key><integer>0</integer><key>a</key><array>"
      + "<string>&#65;</string><integer>0x1</integer><string>B</string></array></dict></plist>",
  ])
  func `Values with unusual spellings are restored beside changes by other programs`(_ text: String)
    async throws
  {
    let store = try await store(text)
    let before = try await store.value(.text("a"))
    let inner = EntryKey.composite([.text("a"), text.contains("\"x\"") ? .text("y") : .integer(0)])
    var number = 0
    func othersWrite() throws {
      let text = String(decoding: try bench.folder.bytes("test.json"), as: UTF8.self)
      let next = text.replacing(" \(number),", with: " \(number + 1),")
        .replacing(">\(number)<", with: ">\(number + 1)<")
      #expect(next != text)
      number += 1
      _ = try bench.folder.write(Array(next.utf8), to: "test.json")
    }
    func takeBackAndAgain() async throws {
      let after = try await store.value(.text("a"))
      #expect(after != before)
      for _ in 0..<2 {
        try othersWrite()
        try await bench.undo(store)
        #expect(try await store.value(.text("a")) == before)
        try othersWrite()
        try await bench.undo(store, redo: true)
        #expect(try await store.value(.text("a")) == after)
      }
      try await bench.undo(store)
      #expect(try await store.value(.text("a")) == before)
    }
    try await bench.put(store, inner, .text("new"))
    try await takeBackAndAgain()
    try await store.source.delete(EntryQuery(inner)).get()
    try await takeBackAndAgain()
    #expect(try await store.value(.text("n")) == .integer(Int64(number)))
  }

  @Test func `A change to a value that moves in the same change can be undone`()
    async throws
  {
    let store = try await store(#"{"n": 0, "a": ["x", ["\u0041", 1]]}"#)
    let before = try await store.value(.text("a"))
    let keys = (0..<2).map { EntryKey.composite([.text("a"), .integer($0)]) }
    let entries = try await store.source.getAll(IdsQuery(keys)).get()
    let changes = zip(entries, [nil, .array([.text("A"), .integer(2)])]).map {
      EntryChange($0.key, value: $1, expecting: $0.fingerprint)
    }
    _ = try await store.source.putAll([], in: ChangesQuery(changes)).get()
    try await undo(store, afterChangeBesideSpelling: before)
  }

  @Test func `A killed change of a value with an unusual spelling can be undone`()
    async throws
  {
    let store = try await store(#"{"n": 0, "a": ["\u0041", 1]}"#)
    let before = try await store.value(.text("a"))
    try await bench.put(store, .text("a"), .array([.text("A"), .integer(2)]))
    try await bench.interrupt { try $0.execute("DELETE FROM records") }
    try await undo(store, afterChangeBesideSpelling: before)
    #expect(try await store.value(.text("n")) == .integer(1))
  }

  @Test func `The usual spelling has the fingerprint of the value`() async throws {
    let text = "{\"a\": \"\\\"\\\\\\n\\t\\r\\b\\f\\u0001 é\u{7F} / x\"}"
    let entry = try await store(text).source.get(EntryQuery(.text("a"))).get()
    #expect(entry.fingerprint == entry.value.map { Fingerprint(of: $0) })
  }

  @Test func `A value that another program respelled is not overwritten`() async throws {
    let store = try await store(#"{"a": "A"}"#)
    let read = try await store.source.get(EntryQuery(.text("a"))).get()
    _ = try bench.folder.write(Array(#"{"a": "\u0041"}"#.utf8), to: "test.json")
    let query = ReplaceQuery(.text("a"), expecting: read.fingerprint)
    await #expect(throws: StoreError.self) {
      try await store.source.put(Entry(key: .text("a"), value: .text("B")), in: query).get()
    }
    #expect(try bench.folder.bytes("test.json") == Array(#"{"a": "\u0041"}"#.utf8))
  }

  @Test func `A value with an unusual spelling is restored after other changes to the file`()
    async throws
  {
    let store = try await store(#"{"a": "\u0041", "b": 1}"#)
    try await store.set(.text("x"), .text("a"))
    // The bytes of the file no longer match those that the change left.
    let text = String(decoding: try bench.folder.bytes("test.json"), as: UTF8.self)
    _ = try bench.folder.write(
      Array(text.replacing("1", with: "2").utf8), to: "test.json")
    try await bench.undo(store)
    #expect(try await store.value(.text("a")) == .text("A"))
    try await bench.undo(store, redo: true)
    #expect(try await store.value(.text("a")) == .text("x"))
    #expect(try await store.value(.text("b")) == .integer(2))
  }

  /// Changes another value while the file still contains an unusual spelling, then undoes the last
  /// change.
  private func undo(_ store: Store, afterChangeBesideSpelling before: StoredValue?) async throws {
    let text = String(decoding: try bench.folder.bytes("test.json"), as: UTF8.self)
    #expect(text.contains("u0041"))
    _ = try bench.folder.write(
      Array(text.replacing("\"n\": 0", with: "\"n\": 1").utf8), to: "test.json")
    try await bench.undo(store)
    #expect(try await store.value(.text("a")) == before)
  }
}
