import Foundation
import HarmonySQLite
import Testing

/// Error messages about database files.
struct SQLiteErrorTests {
  private static let accesses: [SQLiteConnection.Access] = [.reading, .writing, .creating]

  /// Returns the error of an operation that must fail.
  private func failure(
    _ connection: SQLiteConnection,
    _ body: @escaping @Sendable (SQLiteSession) throws -> Void = { try $0.write {} }
  ) async -> SQLiteError? {
    await #expect(throws: SQLiteError.self) { try await connection.perform(body) }
  }

  @Test(arguments: accesses)
  func `A file that cannot be opened is named, with the reason`(
    access: SQLiteConnection.Access
  ) async throws {
    let file = try TestFile()
    let path = file.folder + "/nowhere/test.db"
    let error = await failure(SQLiteConnection(path: path, access: access))
    #expect(error?.code == .cannotOpen)
    #expect(error?.path == path)
    let reason = access == .creating ? "unable to open database file: " : ""
    #expect(error?.description == "SQLite error 14 in \(path): \(reason)No such file or directory")
    #expect(error?.localizedDescription == error?.description)
  }

  @Test(arguments: accesses)
  func `A folder is reported as a file that cannot be opened`(
    access: SQLiteConnection.Access
  ) async throws {
    let file = try TestFile()
    let error = await failure(SQLiteConnection(path: file.folder, access: access))
    #expect(error?.code == .cannotOpen)
    #expect(error?.description.contains(file.folder) == true)
  }

  @Test func `A locked file is named`() async throws {
    let file = try TestFile()
    try await file.execute("CREATE TABLE t(v)")
    let other = SQLiteConnection(path: file.path, access: .writing, busyTimeout: .zero)
    let holder = SQLiteConnection(path: file.path, access: .writing)
    let error = try await holder.perform { session in
      try session.write {
        #expect(throws: SQLiteError.self) { try other.wait { try $0.write {} } }
      }
    }
    #expect(error?.code == .busy)
    #expect(
      error?.description
        == "SQLite error 5 in \(file.path): database is locked in BEGIN IMMEDIATE")
  }

  @Test func `A file that is not a database is named`() async throws {
    let file = try TestFile()
    try Data(repeating: 120, count: 2_000).write(to: URL(fileURLWithPath: file.path))
    let error = await failure(SQLiteConnection(path: file.path, access: .writing))
    #expect(error?.code == .notADatabase)
    #expect(error?.path == file.path)
  }

  @Test func `Control characters of a path are escaped`() async throws {
    let error = await failure(SQLiteConnection(path: "/nowhere/\u{1B}[2J\n.db"))
    #expect(
      error?.description
        == "SQLite error 14 in \"/nowhere/\\u{1B}[2J\\n.db\": No such file or directory")
  }

  @Test(arguments: accesses)
  func `A path with a null byte is refused before anything is opened`(
    access: SQLiteConnection.Access
  ) async throws {
    let file = try TestFile()
    let path = file.path + "\0.backup"
    let error = await failure(SQLiteConnection(path: path, access: access))
    #expect(error?.code == .cannotOpen)
    #expect(error?.message == "the path contains a NUL byte")
    #expect(error?.path == path)
    #expect(try file.names() == [])
    try await file.execute("CREATE TABLE t(v)")
    _ = await failure(SQLiteConnection(path: path, access: access)) { _ = try $0.rows("SELECT 1") }
    #expect(throws: SQLiteError.self) { try SQLiteFile.at(path) }
  }

  @Test(arguments: accesses)
  func `An empty path is refused, although SQLite would create a temporary file`(
    access: SQLiteConnection.Access
  ) async throws {
    let error = await failure(SQLiteConnection(path: "", access: access))
    #expect(error?.code == .cannotOpen)
    #expect(error?.description == "SQLite error 14 in \"\": the path is empty")
  }
}
