import Foundation
import Harmony
import HarmonySQLite
import Testing

/// Invalid calls, which must fail instead of doing something else.
struct SQLiteMisuseTests {
  @Test(arguments: [[], [.text("a")], [.text("a"), .null, .null]] as [[SQLiteValue]])
  func `The number of values must match the number of parameters`(values: [SQLiteValue])
    async throws
  {
    let file = try TestFile()
    try await file.execute("CREATE TABLE t(a, b)")
    let connection = SQLiteConnection(path: file.path, access: .writing)
    let insert = "INSERT INTO t VALUES(?, ?)"
    let calls: [@Sendable (SQLiteSession) throws -> Void] = [
      { try $0.run(insert, values) }, { _ = try $0.rows(insert, values) },
      { try $0.statement(insert, values).run() },
    ]
    for call in calls {
      let error = await #expect(throws: SQLiteError.self) { try await connection.perform(call) }
      #expect(error?.code == .range)
      #expect(
        error?.message == "the statement has 2 parameters, but \(values.count) values were given")
      #expect(error?.sql == insert)
    }
    let rows = try await connection.perform { session in
      try session.run("INSERT INTO t VALUES(?1, ?1)", [.integer(1)])
      return try session.rows("SELECT * FROM t")
    }
    #expect(rows == [[.integer(1), .integer(1)]])
  }

  @Test(arguments: [
    "INSERT INTO t VALUES(1); INSERT INTO t VALUES(2)", "SELECT 1; nonsense", "SELECT 1;;x",
    "INSERT INTO t VALUES(1)\0; INSERT INTO t VALUES(2)", "SELECT 1; -- more\nSELECT 2",
  ])
  func `If one statement is expected, another one is not ignored`(sql: String) async throws {
    let file = try TestFile()
    try await file.execute("CREATE TABLE t(a)")
    let connection = SQLiteConnection(path: file.path, access: .writing)
    let calls: [@Sendable (SQLiteSession) throws -> Void] = [
      { try $0.run(sql) }, { _ = try $0.rows(sql) }, { _ = try $0.statement(sql) },
    ]
    for call in calls {
      await #expect(throws: SQLiteError.self) { try await connection.perform(call) }
    }
    let rows = try await connection.perform { try $0.rows("SELECT * FROM t") }
    #expect(rows == [])
  }

  @Test(arguments: ["SELECT 1;", "SELECT 1 ; \n", "SELECT 1; -- that is all", "SELECT 1;/* */;"])
  func `A statement may be followed by whitespace and comments`(sql: String) async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    #expect(try await connection.perform { try $0.rows(sql) } == [[.integer(1)]])
  }

  @Test func `A script with a null byte is not run up to it`() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    await #expect(throws: SQLiteError.self) {
      try await connection.perform { try $0.execute("CREATE TABLE t(a);\0nonsense") }
    }
    let tables = try await connection.perform { try $0.rows("SELECT * FROM sqlite_schema") }
    #expect(tables == [])
  }

  @Test(arguments: [
    SQLiteEntryTable("t", keyColumn: "k", valueColumn: "K", countColumn: nil),
    SQLiteEntryTable("t", keyColumn: "k", valueColumn: "v", countColumn: "V"),
    SQLiteEntryTable("t", keyColumn: "k", valueColumn: "v", countColumn: "k"),
    SQLiteEntryTable("t\0x"), SQLiteEntryTable("t", keyColumn: "k\0"),
    SQLiteEntryTable("t", valueColumn: "v\0"), SQLiteEntryTable("t", countColumn: "c\0"),
  ])
  func `A table with impossible names is refused by reads and writes`(
    table: SQLiteEntryTable
  ) async throws {
    let file = try TestFile()
    try await file.execute("CREATE TABLE t(k TEXT PRIMARY KEY, v)")
    for access in [SQLiteConnection.Access.reading, .writing, .creating] {
      let source = SQLiteDataSource<String>(path: file.path, table: table, access: access)
      for future in [
        source.get("a").map { _ in }, source.getAll(AllObjectsQuery()).map { _ in },
        source.getKeys(AllObjectsQuery()).map { _ in }, source.put("x", forId: "a").map { _ in },
        source.delete("a"),
      ] {
        await #expect(throws: CoreError.IllegalArgument.self) { try await future.get() }
      }
    }
  }

  @Test func `A count column without a table of elements is refused by reads and writes`()
    async throws
  {
    let file = try TestFile()
    try await file.execute(
      "CREATE TABLE t(key TEXT PRIMARY KEY, value, count); INSERT INTO t VALUES('nails', 'x', 100)")
    let source = SQLiteDataSource<String>(path: file.path, table: "t")
    for future in [
      source.get("nails").map { _ in }, source.put("y", forId: "nails").map { _ in },
      source.putAll(["y"], forId: "l").map { _ in }, source.delete("nails"),
    ] {
      let error = await #expect(throws: SQLiteError.self) { try await future.get() }
      #expect(error?.message.hasPrefix("no such table: t_elements; for a table") == true)
    }
    let rows = try await SQLiteConnection(path: file.path).perform { session in
      try session.rows("SELECT value, count FROM t")
        + session.rows("SELECT name FROM sqlite_schema WHERE name LIKE '%elements'")
    }
    #expect(rows == [[.text("x"), .integer(100)]])
  }

  // MARK: Words

  @Test(arguments: [SQLiteConnection.Access.reading, .writing, .creating])
  func `An in-memory database is refused with a suggestion`(
    access: SQLiteConnection.Access
  ) async throws {
    let error = await #expect(throws: SQLiteError.self) {
      try await SQLiteDataSource<Int>(path: ":memory:", access: access).get("a").get()
    }
    #expect(
      error?.description
        == "SQLite error 14 in :memory:: databases in memory are not supported; "
        + "use InMemoryDataSource")
  }

  @Test func `A table without lists reports that it cannot hold one`() async throws {
    let file = try TestFile()
    let source = SQLiteDataSource<String>(
      path: file.path, table: SQLiteEntryTable("flat", countColumn: nil))
    for future in [source.getAll("a"), source.putAll(["x"], forId: "a")] {
      let error = await #expect(throws: CoreError.QueryNotSupported.self) {
        try await future.get()
      }
      #expect(
        error?.description
          == "The table flat cannot store lists, because it has no countColumn")
    }
  }

  @Test func `Writing through a read-only source is refused with an explanation`() async throws {
    let file = try TestFile()
    try await SQLiteDataSource<Int>(path: file.path).put(1, forId: "a").get()
    let source = SQLiteDataSource<Int>(path: file.path, access: .reading)
    for future in [
      source.put(2, forId: "a").map { _ in }, source.putAll([2], forId: "a").map { _ in },
      source.delete("a"), source.delete(AllObjectsQuery()),
    ] {
      let error = await #expect(throws: SQLiteError.self) { try await future.get() }
      #expect(error?.code == .readOnly)
      #expect(
        error?.description
          == "SQLite error 8 in \(file.path): the source was created with access .reading")
    }
    #expect(try await source.get("a").get() == 1)
  }

  @Test func `A value that cannot be read is reported with its file, table and key`() async throws {
    let file = try TestFile()
    let source = SQLiteDataSource<Int>(path: file.path)
    source.put(1, forId: "good")
    try await source.putAll([1, 2], forId: "list").get()
    try await file.execute(
      "INSERT INTO entries VALUES ('bad\n', 'secret', NULL)")
    let place = #"table entries of \#(file.path), key "bad\n""#
    for future in [
      source.get("bad\n").map { [$0] }, source.getAll(AllObjectsQuery()),
      source.getAll(IdsQuery(["good", "bad\n"])),
    ] {
      let error = await #expect(throws: CoreError.DataSerialization.self) {
        try await future.get()
      }
      #expect(
        error?.description == "A stored value of type text cannot be read as Int: " + place)
    }
    try await source.delete("bad\n").get()
    try await file.execute("UPDATE entries_elements SET value = 'x' WHERE position = 1")
    let place2 = #"table entries of \#(file.path), key "list""#
    let error = await #expect(throws: CoreError.DataSerialization.self) {
      try await source.getAll(AllObjectsQuery()).get()
    }
    #expect(error?.description.hasSuffix(place2) == true)
    try await file.execute("DELETE FROM entries_elements")
    let incomplete = await #expect(throws: CoreError.DataSerialization.self) {
      try await source.getAll("list").get()
    }
    #expect(incomplete?.description == "A list is incomplete: " + place2)
  }

  @Test func `Database errors keep their code as Foundation errors`() {
    let error: any Error = SQLiteError(
      SQLiteResultCode(rawValue: 2067), "no", sql: "INSERT", path: "/tmp/a.db")
    let foundation = error as NSError
    #expect(foundation.code == 2067)
    #expect(foundation.domain == "HarmonySQLite.SQLiteError")
    #expect(foundation.localizedDescription == "\(error)")
    #expect(foundation.userInfo[NSFilePathErrorKey] as? String == "/tmp/a.db")
  }
}
