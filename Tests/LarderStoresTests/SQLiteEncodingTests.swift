import LarderJournal
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

/// Databases with UTF-16 text.
struct SQLiteEncodingTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  /// Little-endian UTF-16 with lone surrogates at the end, in the middle, beside complete pairs,
  /// and after a byte order mark.
  private static let texts = ["00D8", "410000D84200", "00DC3DD800DE", "FFFE00D84100", "FEFF00DC"]

  @Test(arguments: ["UTF-16le", "UTF-16be"], texts)
  func `A lone surrogate is restored exactly`(encoding: String, text: String) async throws {
    let stored = encoding == "UTF-16le" ? text : Self.swapped(text)
    let path = try await bench.folder.database(
      """
      PRAGMA encoding='\(encoding)';
      CREATE TABLE t(k INTEGER PRIMARY KEY, v, w);
      INSERT INTO t VALUES(1, CAST(x'\(stored)' AS TEXT), 'whole');
      """)
    let sql = "SELECT hex(CAST(v AS BLOB)), w FROM t WHERE v NOT IN ('x') OR k = 1"
    let before = try await rows(path, sql)
    let store = try await bench.open(path)
    let value = try await store.value(.integer(1))
    try await store.source.delete(EntryQuery(.integer(1))).get()
    try await bench.undo(store)
    #expect(try await rows(path, sql) == before)
    #expect(try await store.value(.integer(1)) == value)
    // A filtered query returns the same value.
    let filter = EntryFilter(.text("whole"), in: .values)
    let query = EntryPageQuery(filter: filter, limit: 5, detail: .values)
    #expect(try await store.source.getAll(query).get().first?.value == value)
  }

  @Test func `A key with a lone surrogate is found and deleted`() async throws {
    let path = try await bench.folder.database(
      """
      PRAGMA encoding='UTF-16';
      CREATE TABLE t(k TEXT PRIMARY KEY, v);
      INSERT INTO t VALUES(CAST(x'410000D84200' AS TEXT), 1), ('A', 2);
      """)
    let before = try await rows(path, "SELECT hex(CAST(k AS BLOB)), v FROM t ORDER BY v")
    let store = try await bench.open(path)
    let keys = try await store.keys()
    #expect(keys.count == 2)
    for key in keys { #expect(try await store.value(key) != nil) }
    try await store.source.delete(PrefixQuery("A")).get()
    #expect(try await rows(path, "SELECT * FROM t") == [])
    try await bench.undo(store)
    #expect(
      try await rows(path, "SELECT hex(CAST(k AS BLOB)), v FROM t ORDER BY v") == before)
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"], ["\u{FFFE}", "\u{FFFF}", "a\u{1FFFE}"])
  func `A key with a Unicode noncharacter is found, written and renamed`(
    encoding: String, text: String
  ) async throws {
    let path = try await bench.folder.database(
      "PRAGMA encoding='\(encoding)'; CREATE TABLE t(k TEXT PRIMARY KEY, v);")
    let store = try await bench.open(path)
    try await bench.put(store, .text(text), .text("one"))
    #expect(try await store.keys() == [.text(text)])
    #expect(try await store.keys(prefix: text) == [.text(text)])
    try await bench.put(store, .text(text), .text(text))
    #expect(try await store.value(.text(text)) == .text(text))
    let rename = try #require(try await bench.renaming(store, text, to: .text(text + "x")))
    _ = try await store.source.putAll([], in: RenamesQuery([rename])).get()
    #expect(try await store.keys() == [.text(text + "x")])
    try await bench.undo(store)
    try await store.source.delete(EntryQuery(.text(text))).get()
    #expect(try await store.keys() == [])
  }

  @Test func `Bytes that are not valid UTF-16 are refused`() async throws {
    let path = try await bench.folder.database(
      """
      PRAGMA encoding='UTF-16';
      CREATE TABLE t(k INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1, 'x');
      """)
    let store = try await bench.open(path)
    do {
      try await store.set(.malformedText([0x41, 0xFF]), .integer(1))
      Issue.record("it was written")
    } catch {
      let message = StoreError(error).message
      #expect(message.contains("UTF-16") && message.contains("nothing was written"))
    }
    #expect(try await store.value(.integer(1)) == .text("x"))
  }

  private static func swapped(_ hex: String) -> String {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 4).map {
      String(digits[($0 + 2)..<($0 + 4)] + digits[$0..<($0 + 2)])
    }.joined()
  }
}
