import LarderJournal
import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

/// Conversions by column affinity, which must not alter values silently.
struct AffinityTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  /// A database whose columns hold values that their types would convert, because the declarations
  /// were changed after the rows were inserted.
  private func database(_ script: String) async throws -> String {
    let path = try await bench.folder.database(script)
    var bytes = try bench.folder.bytes("test.db")
    for (old, new) in [
      ("BLOB_ZEXT", "PURE_TEXT"), ("BLOB_NUM", "NUMERIC_"), ("BLOB_RE", "REAL_RE"),
    ] {
      while let place = bytes.indices.first(where: { bytes[$0...].starts(with: old.utf8) }) {
        bytes.replaceSubrange(place..<(place + old.utf8.count), with: new.utf8)
      }
    }
    _ = try bench.folder.write(bytes, to: "test.db")
    return path
  }

  private static let everything =
    "SELECT k, typeof(k), quote(a), typeof(a), quote(b), typeof(b) FROM t ORDER BY k"

  @Test(arguments: [
    ("INTEGER", StoredValue.text("12"), "the integer 12 instead of the text"),
    ("NUMERIC", .text("1.5"), "the real 1.5 instead of the text"),
    ("INTEGER", .real(3), "the integer 3 instead of the real 3.0"),
    ("TEXT", .integer(7), "instead of the integer 7"),
    ("VARCHAR(9)", .real(0.1234567890123456789), "instead of the real 0.12345678901234568"),
    ("REAL", .integer(9_007_199_254_740_993), "instead of the integer 9007199254740993"),
    ("DOUBLE", .text("1e2"), "the real 100.0 instead of the text"),
  ])
  func `A value that a column would convert is refused`(
    type: String, value: StoredValue, words: String
  ) async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v \(type)); INSERT INTO t VALUES('a', NULL)")
    let store = try await bench.open(path)
    for key in ["a", "b"] {
      let said = try #require(await refusal { try await store.set(value, .text(key)) })
      #expect(said.contains(words), "\(said)")
      #expect(said.contains("the column v of t is declared \(type)"), "\(said)")
    }
    #expect(try await rows(path, "SELECT * FROM t") == [[.text("a"), .null]])
  }

  @Test(arguments: ["", "REAL", "NUMERIC", "INTEGER"])
  func `Digits are stored if they fit in 64 bits`(type: String) async throws {
    let path = try await bench.folder.database("CREATE TABLE t(k TEXT PRIMARY KEY, v \(type))")
    let store = try await bench.open(path)
    let kept: [(digits: String, number: Double)] = [
      ("1.50", 1.5), ("0.1000000000000000000000000", 0.1), ("-25e-1", -2.5), ("0.0015E1", 0.015),
    ]
    for (digits, number) in kept {
      try await store.set(.number(digits), .text("a"))
      #expect(try await store.value(.text("a")) == .real(number), "\(digits)")
    }
    for digits in ["0.1000000000000000000000001", "1.5e-400", "0.5e99999999999999999999"] {
      let said = try #require(
        await refusal { try await store.set(.number(digits), .text("a")) }, "\(digits)")
      #expect(said.contains("cannot hold \(digits): numbers in a database have 64 bits"), "\(said)")
    }
    #expect(try await rows(path, "SELECT * FROM t") == [[.text("a"), .real(0.015)]])
  }

  @Test(arguments: [
    ("INTEGER", EntryKey.text("012")), ("TEXT", .real(0.12345678901234568)),
    ("NUMERIC", .text("1.50")),
  ])
  func `A key that a column would convert is refused`(
    type: String, key: EntryKey
  ) async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k \(type), v, PRIMARY KEY(k)) WITHOUT ROWID;"
        + "INSERT INTO t VALUES('a', 1)")
    let store = try await bench.open(path)
    let said = try #require(await refusal { try await store.set(.integer(1), key) })
    #expect(said.contains(type) && said.contains("column k"), "\(said)")
    let rename = try #require(try await bench.renaming(store, "a", to: key))
    let refused = await refusal { _ = try await store.source.put(nil, in: rename).get() }
    #expect(refused?.contains(type) == true, "\(refused ?? "")")
    #expect(try await rows(path, "SELECT * FROM t") == [[.text("a"), .integer(1)]])
  }

  @Test(arguments: ["WITHOUT ROWID", ""])
  func `A row with values that its columns would convert stays unchanged`(ending: String)
    async throws
  {
    let path = try await database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, a BLOB_ZEXT, b) \(ending);
      INSERT INTO t VALUES('i', 5, 1), ('r', 0.1234567890123456789, 1), ('x', 'plain', 1);
      """)
    let before = try await rows(path, Self.everything)
    #expect(before.map { $0[3] } == [.text("integer"), .text("real"), .text("text")])
    let store = try await bench.open(path)
    for key in ["i", "r"] {
      let value = try #require(try await store.value(.text(key)))
      let edited = value.setting("b", to: .integer(2))
      let said = try #require(await refusal { try await store.set(edited, .text(key)) })
      #expect(said.contains("the column a of t is declared PURE_TEXT and holds the "), "\(said)")
      let rename = try #require(try await bench.renaming(store, key, to: .text("new")))
      #expect(await refusal { _ = try await store.source.put(nil, in: rename).get() } != nil)
      #expect(await refusal { try await store.set(value, .text("copy")) } != nil)
      #expect(try await rows(path, Self.everything) == before)
    }
    // Without a journal, the column itself can be repaired, because nothing has to be undone.
    let value = try #require(try await store.value(.text("i")))
    let repaired = value.setting("a", to: .text("5"))
    try await Stores.store(path).set(repaired, .text("i"))
    try await store.set(
      StoredValue.record([.init("a", .text("other")), .init("b", .integer(3))]), .text("x"))
    try await bench.undo(store)
    #expect(
      try await rows(path, "SELECT k, a FROM t WHERE k <> 'r' ORDER BY k")
        == [[.text("i"), .text("5")], [.text("x"), .text("plain")]])
  }

  @Test func `A whole number stored unchanged in a REAL column needs no decimal point`()
    async throws
  {
    let path = try await bench.folder.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v REAL, w REAL); INSERT INTO t VALUES('a', 1.5, 2.5)")
    let store = try await bench.open(path)
    try await store.set(.record([.init("v", .integer(5)), .init("w", .real(2.5))]), .text("a"))
    #expect(try await rows(path, "SELECT v, w FROM t") == [[.real(5), .real(2.5)]])
    let stream = Locked([[Entry(key: .text("b"), value: .record([.init("v", .integer(5))]))]])
    let query = ImportQuery(replaces: false) {
      stream.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
    let plain = try await Stores.store(path)
    let said = await refusal { _ = try await plain.source.put(nil, in: query).get() }
    #expect(said?.contains("instead of the integer 5") == true, "\(said ?? "")")
  }

  @Test func `An import with a value that would be converted writes nothing`() async throws {
    let path = try await bench.folder.database("CREATE TABLE t(k TEXT PRIMARY KEY, v INTEGER)")
    // Without a journal, the store takes the import as a stream, in one transaction.
    let store = try await Stores.store(path)
    let entries = [
      Entry(key: .text("a"), value: .integer(1)), Entry(key: .text("b"), value: .text("2")),
    ]
    let stream = Locked([entries])
    let query = ImportQuery(replaces: false) {
      stream.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
    let said = try #require(await refusal { _ = try await store.source.put(nil, in: query).get() })
    #expect(said.contains("the integer 2 instead of the text"), "\(said)")
    #expect(try await rows(path, "SELECT * FROM t").isEmpty)
  }

  @Test func `Changes that triggers make to a value are allowed`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v INTEGER, w TEXT);
      CREATE TRIGGER i AFTER INSERT ON t BEGIN
        UPDATE t SET v = new.v + 1, w = upper(new.w) WHERE k = new.k; END;
      """)
    let store = try await bench.open(path)
    func row(_ v: StoredValue, _ w: StoredValue) -> StoredValue {
      .record([.init("v", v), .init("w", w)])
    }
    let stored = try await store.set(row(.integer(1), .text("x")), .text("a"))
    #expect(stored.value == row(.integer(2), .text("X")))
    let said = try #require(
      await refusal { try await store.set(row(.integer(1), .integer(5)), .text("a")) })
    #expect(said.contains("the column w of t is declared TEXT"), "\(said)")
    #expect(try await store.value(.text("a")) == row(.integer(2), .text("X")))
  }
}
