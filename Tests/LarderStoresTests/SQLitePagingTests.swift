import Harmony
import HarmonySQLite
import LarderModel
import Testing

@testable import LarderStores

/// A kind of key: a table, and a query for its expected order.
struct KeyShape: Sendable, CustomTestStringConvertible {
  let name: String
  let sql: String
  let order: String
  let count: Int

  var testDescription: String { name }

  static let all: [KeyShape] = [
    KeyShape(
      name: "integer primary key",
      sql:
        "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(-9223372036854775808,1),"
        + "(-1,2),(0,3),(1,4),(2,5),(9223372036854775807,6),(40,7)",
      order: "SELECT id FROM t ORDER BY id", count: 7),
    KeyShape(
      name: "text primary key",
      sql: "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('b',1),('a',2),('',3),"
        + "('é',4),('e' || char(769),5),('A',6),(x'00ff',7),('a' || char(0) || 'b',8)",
      order: "SELECT k FROM t ORDER BY k", count: 8),
    KeyShape(
      name: "text key without collation order",
      sql: "CREATE TABLE t(k TEXT COLLATE NOCASE PRIMARY KEY, v);"
        + "INSERT INTO t VALUES('b',1),('A',2),('c',3),('D',4),('e',5)",
      order: "SELECT k FROM t ORDER BY k", count: 5),
    KeyShape(
      name: "key of another collation than the column",
      sql: "CREATE TABLE t(k TEXT, v, PRIMARY KEY(k COLLATE NOCASE));"
        + "INSERT INTO t VALUES('b',1),('A',2),('c',3),('D',4),('e',5)",
      order: "SELECT k FROM t ORDER BY k COLLATE NOCASE", count: 5),
    KeyShape(
      name: "descending key",
      sql: "CREATE TABLE t(k TEXT, v, PRIMARY KEY(k DESC));"
        + "INSERT INTO t VALUES('b',1),('a',2),('c',3),('d',4)",
      order: "SELECT k FROM t ORDER BY k DESC", count: 4),
    KeyShape(
      name: "descending numbers",
      sql: "CREATE TABLE t(k INT, v, PRIMARY KEY(k DESC)); INSERT INTO t VALUES(1,1),(2,2),(3,3)",
      order: "SELECT k FROM t ORDER BY k DESC", count: 3),
    KeyShape(
      name: "key of any type",
      sql: "CREATE TABLE t(k PRIMARY KEY, v); INSERT INTO t VALUES(1,1),(1.5,2),('1',3),"
        + "(x'31',4),('z',5),(-2,6),(9e99,7)",
      order: "SELECT k FROM t ORDER BY k", count: 7),
    KeyShape(
      name: "composite",
      sql: "CREATE TABLE t(a TEXT NOT NULL, b INTEGER NOT NULL, v, PRIMARY KEY(a,b));"
        + "INSERT INTO t VALUES('x',2,0),('x',1,0),('w',5,0),('y',0,0),('w',4,0),('x',3,0)",
      order: "SELECT a,b FROM t ORDER BY a,b", count: 6),
    KeyShape(
      name: "composite in another order than the columns",
      sql: "CREATE TABLE t(a INT NOT NULL, b INT NOT NULL, v, PRIMARY KEY(b,a));"
        + "INSERT INTO t VALUES(1,9,0),(2,8,0),(3,9,0),(4,8,0),(5,1,0)",
      order: "SELECT b,a FROM t ORDER BY b,a", count: 5),
    KeyShape(
      name: "composite of mixed direction",
      sql: "CREATE TABLE t(a TEXT NOT NULL, b INTEGER NOT NULL, c, v, PRIMARY KEY(a,b DESC,c));"
        + "INSERT INTO t VALUES('x',2,1,0),('x',1,1,0),('w',5,1,0),('x',2,2,0),('w',4,NULL,0),"
        + "('w',4,7,0),('x',2,0,0)",
      order: "SELECT a,b,c FROM t ORDER BY a,b DESC,c", count: 7),
    KeyShape(
      name: "composite with NULL",
      sql: "CREATE TABLE t(a, b, v, PRIMARY KEY(a,b)); INSERT INTO t VALUES(1,NULL,0),(1,NULL,1),"
        + "(1,NULL,2),(1,1,0),(2,NULL,0),(2,NULL,1),(2,2,0),(3,3,0),(3,NULL,1)",
      order: "SELECT a,b FROM t ORDER BY a,b", count: 9),
    KeyShape(
      name: "WITHOUT ROWID",
      sql: "CREATE TABLE t(a TEXT, b TEXT, v, w, PRIMARY KEY(a,b)) WITHOUT ROWID;"
        + "INSERT INTO t VALUES('x','2',0,0),('x','1',0,0),('w','5',0,0),('y','',0,0)",
      order: "SELECT a,b FROM t ORDER BY a,b", count: 4),
    KeyShape(
      name: "rowid",
      sql: "CREATE TABLE t(a,b); INSERT INTO t(rowid,a) VALUES(5,'x'),(-3,'y'),(99,'z'),(7,'z')",
      order: "SELECT rowid FROM t ORDER BY rowid", count: 4),
    KeyShape(
      name: "rowid under another name",
      sql: "CREATE TABLE t(rowid,_rowid_ TEXT); INSERT INTO t(oid,rowid) VALUES(5,'x'),(-3,'y')",
      order: "SELECT oid FROM t ORDER BY oid", count: 2),
    KeyShape(
      name: "hidden rowid",
      sql: "CREATE TABLE t(rowid,_rowid_,oid); INSERT INTO t VALUES(5,'x',1),(-3,'y',2),(1,1,1),"
        + "(2,2,2),(3,3,3)",
      order: "SELECT column1 FROM (VALUES(1),(2),(3),(4),(5))", count: 5),
    KeyShape(
      name: "primary key with NULL",
      sql: "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('b',1),(NULL,2),(NULL,3)",
      order: "SELECT k FROM t ORDER BY k", count: 3),
    KeyShape(
      name: "blob",
      sql: "CREATE TABLE t(k BLOB PRIMARY KEY, v); INSERT INTO t VALUES(x'ff',1),(x'',2),(x'00',3)",
      order: "SELECT k FROM t ORDER BY k", count: 3),
    KeyShape(
      name: "malformed text",
      sql: "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES(CAST(x'ff41' AS TEXT),1),"
        + "(CAST(x'c3' AS TEXT),2),('a',3),('é',4)",
      order: "SELECT k FROM t ORDER BY k", count: 4),
    KeyShape(
      name: "view",
      sql: "CREATE TABLE s(a); INSERT INTO s VALUES(3),(1),(2),(9),(8);"
        + "CREATE VIEW t AS SELECT a, a*2 FROM s",
      order: "SELECT column1 FROM (VALUES(1),(2),(3),(4),(5))", count: 5),
    KeyShape(
      name: "empty table", sql: "CREATE TABLE t(k TEXT PRIMARY KEY)",
      order: "SELECT k FROM t", count: 0),
    KeyShape(
      name: "UTF-16 database",
      sql: "PRAGMA encoding='UTF-16le'; CREATE TABLE t(k TEXT PRIMARY KEY, v);"
        + "INSERT INTO t VALUES('b',1),('aé',2),('€',3),('a€',4)",
      order: "SELECT k FROM t ORDER BY k", count: 4),
  ]
}

struct SQLitePagingTests {
  private func keys(_ path: String, _ sql: String) async throws -> [EntryKey] {
    let rows = try await SQLiteConnection(path: path).perform { try $0.rows(sql) }
    return rows.map { row in
      row.count == 1 ? EntryKey(row[0]) : .composite(row.map { EntryKey($0) })
    }
  }

  @Test(arguments: KeyShape.all, [1, 2, 3, 100])
  func `Pages are in the table's own order`(_ shape: KeyShape, _ limit: Int) async throws {
    let folder = try TestFolder()
    let path = try await folder.database(shape.sql)
    let expected = try await keys(path, shape.order)
    #expect(expected.count == shape.count)
    let store = try await Stores.store(path, "t")
    #expect(try await store.keys(pages: limit) == expected)
    #expect(try await store.keys(pages: limit, direction: .backward) == expected.reversed())
    let everything = EntryFilter(.regex(""))
    #expect(try await store.keys(pages: limit, filter: everything) == expected)
    let count = try await store.source.get(CountQuery()).get()
    #expect(count.value == .integer(Int64(shape.count)))
    let counted = try await store.source.get(CountQuery(filter: everything)).get()
    #expect(counted.value == .integer(Int64(shape.count)))
  }

  @Test(arguments: KeyShape.all)
  func `Every key reads its own row`(_ shape: KeyShape) async throws {
    let folder = try TestFolder()
    let store = try await Stores.store(try await folder.database(shape.sql), "t")
    let page = try await store.source.getAll(EntryPageQuery(detail: .values)).get()
    #expect(page.count == shape.count)
    for entry in page {
      if page.count(where: { $0.key == entry.key }) > 1 {
        await #expect(throws: StoreError.self) { try await store.value(entry.key) }
      } else {
        #expect(try await store.source.get(EntryQuery(entry.key)).get() == entry)
      }
    }
    let summary = try await store.source.getAll(EntryPageQuery(detail: .summary)).get()
    #expect(summary.map(\.key) == page.map(\.key))
    #expect(summary.map(\.size) == page.map(\.size))
    #expect(summary.map(\.type) == page.map(\.type))
  }

  @Test(arguments: KeyShape.all, [true, false])
  func `Pages are read by index without sorting`(_ shape: KeyShape, _ isBackward: Bool) async throws
  {
    let folder = try TestFolder()
    let path = try await folder.database(shape.sql)
    let plans = try await SQLiteConnection(path: path).perform { session -> [String] in
      guard let layout = try TableCatalogue.layouts(session, named: "t").first else { return [] }
      guard case .columns(let columns) = layout.keys else { return [] }
      let after = columns.map { _ in SQLiteValue.integer(1) }
      var segments = layout.segments(after: after, backward: isBackward)
      if layout.takesPrefixRange {
        segments += layout.segments(after: nil, backward: isBackward, prefix: "p")
        segments += layout.segments(after: [.text("pq")], backward: isBackward, prefix: "p")
      }
      return try segments.flatMap { segment in
        try session.rows(
          "EXPLAIN QUERY PLAN " + RowReader(layout).select(values: true) + segment.sql,
          segment.bindings
        ).map { row in
          if case .text(let text) = row[3] { text } else { "" }
        }
      }
    }
    for plan in plans {
      #expect(plan.hasPrefix("SEARCH"), "\(plan)")
      #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
    }
  }

  @Test func `Prefixes are compared by bytes`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v);
      INSERT INTO t VALUES('user:1',0),('user:2',0),('user;',0),('user',0),('users',0),('v',0),
        ('é1',0),('é2',0),('ê',0),(CAST(x'c3' AS TEXT),0)
      """)
    let store = try await Stores.store(path)
    let users: [EntryKey] = [.text("user:1"), .text("user:2")]
    for size in [1, 2, 9] {
      #expect(try await store.keys(pages: size, prefix: "user:") == users)
      #expect(
        try await store.keys(pages: size, direction: .backward, prefix: "user:")
          == users.reversed())
      #expect(try await store.keys(pages: size, prefix: "é") == [.text("é1"), .text("é2")])
    }
    let count = try await store.source.get(CountQuery(prefix: "user:")).get()
    #expect(count.value == .integer(2))
    // A key without the prefix sorts before or after all keys that have it.
    for (after, expected) in [("a", users), ("user;", []), ("z", []), ("user:1", [users[1]])] {
      let page = try await store.source.getAll(
        EntryPageQuery(prefix: "user:", after: .text(after))
      ).get()
      #expect(page.map(\.key) == expected)
    }
    let back = try await store.source.getAll(
      EntryPageQuery(prefix: "user:", after: .text("z"), direction: .backward)
    ).get()
    #expect(back.map(\.key) == users.reversed())
  }

  @Test func `Prefixes of numbers are their digits`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(4,0),(40,0),(5,0),(412,0)")
    let store = try await Stores.store(path)
    #expect(
      try await store.keys(pages: 2, prefix: "4") == [.integer(4), .integer(40), .integer(412)])
    let count = try await store.source.get(CountQuery(prefix: "4")).get()
    #expect(count.value == .integer(3))
  }
}
