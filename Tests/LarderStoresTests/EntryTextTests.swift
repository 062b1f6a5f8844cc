import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderFormats
import Testing

@testable import LarderStores

/// Lists of keys as text, which two threads read from large tables.
@Suite struct EntryTextTests {
  /// Tables with every kind of key, with pages so small that the B-trees are deep.
  private static let shapes: [(String, String, String)] = [
    (
      "numbers", "CREATE TABLE t(k INTEGER PRIMARY KEY, v)",
      "INSERT INTO t SELECT x * 3 - 9000, 'value ' || x FROM n"
    ),
    (
      "text without rowid", "CREATE TABLE t(k TEXT PRIMARY KEY, v) WITHOUT ROWID",
      "INSERT INTO t SELECT printf('key:%05d:é', x * 7919 % 20011), 'value ' || x FROM n"
    ),
    (
      "text with an index", "CREATE TABLE t(k TEXT PRIMARY KEY, v)",
      "INSERT INTO t SELECT printf('key:%05d', x * 7919 % 20011), 'value ' || x FROM n"
    ),
    (
      "text in another order", "CREATE TABLE t(k TEXT PRIMARY KEY COLLATE NOCASE, v)",
      "INSERT INTO t SELECT char(65 + x % 2 * 32) || printf('%05d', x), x FROM n"
    ),
    (
      "all types at once", "CREATE TABLE t(k PRIMARY KEY, v) WITHOUT ROWID",
      "INSERT INTO t SELECT CASE x % 4 WHEN 0 THEN x WHEN 1 THEN x + 0.5 "
        + "WHEN 2 THEN 'text ' || x ELSE CAST('bytes ' || x AS BLOB) END, x FROM n"
    ),
    (
      "a key that may be null", "CREATE TABLE t(k TEXT PRIMARY KEY, v)",
      "INSERT INTO t SELECT nullif(printf('key:%05d', x), 'key:00007'), x FROM n"
    ),
    (
      "keys of several parts", "CREATE TABLE t(a, b TEXT, v, PRIMARY KEY(a, b)) WITHOUT ROWID",
      "INSERT INTO t SELECT CASE x % 3 WHEN 0 THEN x ELSE \(odd) || x END, \(odd), x FROM n"
    ),
    (
      "text that resembles other keys", "CREATE TABLE t(k TEXT PRIMARY KEY, v) WITHOUT ROWID",
      "INSERT OR IGNORE INTO t SELECT CASE WHEN x % 5 THEN \(odd) || x ELSE \(odd) END, x FROM n"
    ),
  ]

  /// An SQL expression for texts, including some that look like numbers, bytes, null or keys of
  /// several parts.
  private static let odd = """
    CASE x % 18 WHEN 0 THEN 'null' WHEN 1 THEN 'nan' WHEN 2 THEN 'inf' WHEN 3 THEN '1e5'
      WHEN 4 THEN '12' WHEN 5 THEN '1.5' WHEN 6 THEN '1a' WHEN 7 THEN 't''' WHEN 8 THEN 'x''61'''
      WHEN 9 THEN 'x' WHEN 10 THEN '-a' WHEN 11 THEN 'a,b' WHEN 12 THEN '(a)' WHEN 13 THEN '"a"'
      WHEN 14 THEN '0x1f' WHEN 15 THEN 'é' || char(8232) WHEN 16 THEN '日本' ELSE 'item' END
    """

  private static func database(
    _ folder: TestFolder, _ shape: (String, String, String), rows: Int = 20_000, pageSize: Int = 512
  ) async throws -> String {
    try await folder.database(
      """
      PRAGMA page_size = \(pageSize); \(shape.1);
      WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < \(rows - 1))
      \(shape.2);
      """)
  }

  /// Returns all keys read as entries, and as text if the store supports it.
  private static func lists(
    _ store: Store, _ filter: EntryFilter? = nil
  ) async throws -> (entries: [String], text: [String]?, answers: Int) {
    let page = EntryPageQuery(filter: filter, limit: .max)
    let entries = try await store.source.getAll(page).get().map { $0.key.notation(store.keyStyle) }
    var next: EntryTextQuery? = EntryTextQuery(page, style: store.keyStyle)
    var text: [UInt8] = []
    var (count, answers) = (0, 0)
    do {
      while let query = next {
        let entry = try await store.source.get(query).get()
        let answer = try #require(EntryTextQuery.Page(entry))
        text += answer.texts.joined()
        count += answer.count
        answers += 1
        next = query.next(answer)
      }
    } catch is CoreError.QueryNotSupported {
      return (entries, nil, 0)
    }
    let lines = text.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(count == lines.count)
    return (entries, lines, answers)
  }

  @Test(arguments: shapes.indices)
  func `The text list matches the entries`(index: Int) async throws {
    let folder = try TestFolder()
    let store = try await Stores.store(Self.database(folder, Self.shapes[index]), "t")
    for filter in [nil, "1", "77", "KEY:", "nothing", "m,"].map({
      $0.map { EntryFilter(.text($0)) }
    }) {
      let (entries, text, _) = try await Self.lists(store, filter)
      if let text { #expect(text == entries) }
      #expect((text == nil) == (Self.shapes[index].0 == "a key that may be null"))
    }
  }

  @Test(arguments: contents)
  func `Values are searched as in the entries`(sql: String) async throws {
    let folder = try TestFolder()
    let store = try await Self.table(sql, folder)
    let patterns: [EntryFilter.Pattern] = [
      .text("plain"), .text("12"), .text("inf"), .text("BYTES"), .text("\"S"), .text("nothing"),
      .text("é"), .whole("v"), .regex("t 99?$"), .fuzzy("pt9"),
    ]
    for pattern in patterns {
      let (entries, text, _) = try await Self.lists(store, EntryFilter(pattern, in: .values))
      #expect(text == entries)
    }
    let but = EntryFilter([.init(.text("plain"), isNegated: true)], in: .values)
    let (entries, text, _) = try await Self.lists(store, but)
    #expect(text == entries)
  }

  /// An SQL expression for values of every type, invalid text, and characters that JSON has to
  /// escape.
  private static let rows = """
    CASE x % 9 WHEN 0 THEN NULL WHEN 1 THEN x WHEN 2 THEN x / 7.0 WHEN 3 THEN 9e999
      WHEN 4 THEN 'say "' || x || '" \\ ' || char(10, 27, 8232, 8206) || 'é'
      WHEN 5 THEN CAST(x'ff00c3' AS TEXT) WHEN 6 THEN CAST('bytes ' || x AS BLOB)
      WHEN 7 THEN '' ELSE 'plain text of some length, ' || x END
    """

  /// The schemas and rows of tables of every shape.
  private static let contents = [
    "CREATE TABLE t(k INTEGER PRIMARY KEY, v); INSERT INTO t SELECT x - 9000, \(rows) FROM n",
    "CREATE TABLE t(k PRIMARY KEY, v) WITHOUT ROWID; "
      + "INSERT INTO t SELECT CASE x % 4 WHEN 0 THEN x WHEN 1 THEN x + 0.5 WHEN 2 THEN "
      + "'\"text\" ' || x ELSE CAST('bytes ' || x AS BLOB) END, \(rows) FROM n",
    "CREATE TABLE t(k TEXT PRIMARY KEY, a, \"b \"\"c\"\"\" TEXT, d); "
      + "INSERT INTO t SELECT printf('key:%05d', x * 7919 % 20011), \(rows), x, \(rows) FROM n",
    "CREATE TABLE t(k TEXT, n INTEGER, v, PRIMARY KEY(k, n)) WITHOUT ROWID; "
      + "INSERT INTO t SELECT 'key', x, \(rows) FROM n",
    "CREATE TABLE t(k TEXT PRIMARY KEY, value BLOB, expires_at INTEGER); "
      + "INSERT INTO t SELECT 'key ' || x, 'v', 1900000000 + x FROM n",
    "PRAGMA encoding = 'UTF-16'; CREATE TABLE t(k TEXT PRIMARY KEY, v); "
      + "INSERT INTO t SELECT 'ké ' || x, 'văl ' || x FROM n",
    "PRAGMA encoding = 'UTF-16'; CREATE TABLE t(k TEXT PRIMARY KEY, a, b); "
      + "INSERT INTO t SELECT 'ké ' || x, CAST(x'00d84100' AS TEXT), x FROM n",
    "CREATE TABLE t(key TEXT PRIMARY KEY, value TEXT, expires_at INTEGER, hits INTEGER, "
      + "last_used INTEGER, created_at INTEGER); INSERT INTO t SELECT 'key ' || x, 'v', "
      + "nullif(1900000000 + x, 1900000005), x, 1700000000 + x, 1600000000 + x FROM n",
  ]

  /// Creates a table with ten thousand rows.
  private static func table(_ sql: String, _ folder: TestFolder) async throws -> Store {
    let numbers = "WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < 9999) "
    let path = try await folder.database(
      "PRAGMA page_size = 1024; "
        + sql.replacing("INSERT INTO t ", with: numbers + "INSERT INTO t "))
    return try await Stores.store(path, "t")
  }

  /// Returns all text that the store produces.
  private static func text(_ store: Store, _ form: EntryTextQuery.Form) async throws -> String {
    var next: EntryTextQuery? = EntryTextQuery(
      EntryPageQuery(limit: .max), style: store.keyStyle, form: form)
    var text: [UInt8] = []
    while let query = next {
      let answer = try #require(EntryTextQuery.Page(try await store.source.get(query).get()))
      text += answer.texts.joined()
      next = query.next(answer)
    }
    return String(decoding: text, as: UTF8.self)
  }

  @Test(arguments: contents)
  func `The lines match the entries`(sql: String) async throws {
    let folder = try TestFolder()
    let store = try await Self.table(sql, folder)
    let page = EntryPageQuery(limit: .max, detail: .values)
    let entries = try await store.source.getAll(page).get()
    #expect(entries.count == 10_000)
    let lines = try entries.map { entry in
      let line = EntryLine(
        key: entry.key, value: try #require(entry.value), expires: entry.expires, form: entry.form,
        columns: store.valueColumns)
      return line.text(modified: entry.modified)
    }
    #expect(try await Self.text(store, .lines) == lines.map { $0 + "\n" }.joined())
  }

  @Test(arguments: contents)
  func `The summaries of rows match those of their entries`(sql: String) async throws {
    let folder = try TestFolder()
    let store = try await Self.table(sql, folder)
    let page = EntryPageQuery(limit: .max, detail: .values)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let lines = try await store.source.getAll(page).get().map { entry in
      var line = ByteBuffer()
      line.append("{\"key\":" + JSONText.encode(EntryLine.value(of: entry.key)))
      EntrySummary(entry).append(now: now, to: &line)
      line.append(",\"collection\":\"t\"")
      entry.fingerprint?.append(to: &line)
      return line.text + "}\n"
    }
    let form = EntryTextQuery.Form.summaries(collection: "t", now: now)
    #expect(try await Self.text(store, form) == lines.joined())
  }

  @Test func `Large values end an answer before its whole share is written`() async throws {
    let folder = try TestFolder()
    let shape = (
      "", "CREATE TABLE t(k INTEGER PRIMARY KEY, v)",
      "INSERT INTO t SELECT x, printf('%.*c', 100000, 'v') FROM n"
    )
    let path = try await Self.database(folder, shape, rows: 400, pageSize: 4_096)
    let store = try await Stores.store(path, "t")
    var next: EntryTextQuery? = EntryTextQuery(
      EntryPageQuery(limit: .max), style: store.keyStyle, form: .lines)
    var (count, maximum) = (0, 0)
    while let query = next {
      let answer = try #require(EntryTextQuery.Page(try await store.source.get(query).get()))
      count += answer.count
      maximum = max(maximum, answer.size)
      next = query.next(answer)
    }
    #expect(count == 400)
    #expect(maximum < 18 << 20)
  }

  @Test func `A list that spans several answers is complete`() async throws {
    let folder = try TestFolder()
    let shape = (
      "", "CREATE TABLE t(k INTEGER PRIMARY KEY, v)",
      "INSERT INTO t SELECT x, '0123456789012345678901234567890123456789' FROM n"
    )
    let path = try await Self.database(folder, shape, rows: 600_000, pageSize: 4_096)
    let (entries, text, answers) = try await Self.lists(Stores.store(path, "t"))
    #expect(text == entries)
    #expect(answers > 1)
  }

  @Test func `Partition keys are in order and none is missing`() async throws {
    let folder = try TestFolder()
    let path = try await Self.database(folder, Self.shapes[1])
    let database = SQLiteDatabase(path: path)
    let table = SQLiteTable(database, name: "t")
    let (all, some) = try await database.perform(.scan) { session in
      let layout = try table.layout(session)
      let partition = try #require(try KeyPartition(session, layout, path: path))
      let all = partition.keys(after: nil, bytes: .max)
      var some: [SQLiteValue] = []
      while let next = partition.keys(after: some.last, bytes: 1).keys.first { some.append(next) }
      return (all, some)
    }
    #expect(all.isComplete)
    #expect(all.keys.count > 10)
    #expect(some == all.keys)
  }

  @Test func `Bytes that are not a B-tree give no partition`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      var bytes = (0..<512).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      bytes[0] = Bool.random() ? 2 : 5
      guard let page = BTreePage(bytes) else { continue }
      for index in [0, 1, page.count / 2, page.count] {
        _ = page.child(index)
        _ = page.key(index)
      }
    }
    #expect(BTreePage([]) == nil)
    #expect(BTreePage([13, 0, 0]) == nil)
    #expect(BTreePage([5])?.key(0) == nil)
    #expect(BTreePage([2])?.child(0) == nil)
  }
}
