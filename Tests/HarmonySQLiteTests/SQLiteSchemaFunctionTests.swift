import Testing

@testable import HarmonySQLite

/// The functions that a database schema may call.
struct SQLiteSchemaFunctionTests {
  private static let schema =
    "CREATE TABLE t (k); CREATE INDEX i ON t(upper(k)); INSERT INTO t VALUES ('a'); "
    + "CREATE VIEW v AS SELECT upper(k) AS u, k FROM t"

  @Test func `A refused function fails only where it is called`() async throws {
    let file = try TestFile()
    let making = SQLiteConnection(path: file.path, access: .creating)
    try await making.perform { try $0.execute(Self.schema) }
    making.close()
    // Read and write access.
    let session = try SQLiteSession(
      uri: "file:\(file.path)", flags: 2, busyTimeout: .zero)
    try SQLiteSchemaFunctions.refuse(.init(name: "upper", argumentCount: 1), on: session.handle)
    var codes: [SQLiteResultCode?] = []
    for sql in [
      "SELECT k FROM t", "SELECT k FROM v", "SELECT u FROM v", "INSERT INTO t VALUES ('b')",
    ] {
      do throws(SQLiteError) {
        _ = try session.rows(sql)
        codes.append(nil)
      } catch {
        codes.append(error.code)
      }
    }
    #expect(codes == [nil, nil, .error, .error])
  }

  @Test func `A list of functions is discarded if reading it fails`() throws {
    let session = try SQLiteSession(uri: "file::memory:", flags: 2, busyTimeout: .zero)
    let rows = "SELECT 'first', 1 UNION ALL SELECT 'second', 2"
    #expect(
      try SQLiteSchemaFunctions.listed(rows, session.handle).map(\.name) == ["first", "second"])
    #expect(throws: SQLiteError.self) {
      try SQLiteSchemaFunctions.listed(
        "\(rows) UNION ALL SELECT json_extract('{', '$'), 1", session.handle)
    }
    #expect(throws: SQLiteError.self) {
      try SQLiteSchemaFunctions.listed("\(rows) UNION ALL SELECT NULL, 3", session.handle)
    }
  }

  @Test func `Pragma tables are available to statements but not to views`() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let code = try await connection.perform { session -> SQLiteResultCode? in
      try session.execute("CREATE VIEW v AS SELECT file FROM pragma_database_list")
      #expect(try session.rows("SELECT file FROM pragma_database_list").count == 1)
      #expect(try session.rows("SELECT name FROM pragma_table_info('v')").count == 1)
      do throws(SQLiteError) {
        _ = try session.rows("SELECT * FROM v")
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code == .notAuthorized)
  }

  @Test func `Functions for statements only are refused in a schema`() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    await #expect(throws: SQLiteError.self) {
      try await connection.perform { session in
        try session.execute(
          "CREATE TABLE t (k); CREATE VIEW v AS SELECT load_extension(k) FROM t")
        return try session.rows("SELECT * FROM v").count
      }
    }
  }
}
