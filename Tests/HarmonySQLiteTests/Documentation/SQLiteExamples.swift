import Harmony
import HarmonySQLite
import Testing

@Suite struct SQLiteExamples {
  struct User: Codable, Equatable, Sendable {
    var name: String
    var age: Int
  }

  @Test func `Keeping the times of a cache`() async throws {
    let file = try TestFile()
    let path = file.path
    let sessions = SQLiteDataSource<String>(path: path, table: "sessions")
    let cache = TimedCacheDataSource(
      sessions, expiryInterval: 600, times: SQLiteCacheTimes(path: path, table: "sessions"))
    try await cache.put("secret", forId: "42").get()
    #expect(try SQLiteCacheTimes(path: path, table: "sessions").times(of: "42") != nil)
  }

  @Test func `Storing in SQLite`() async throws {
    let file = try TestFile()
    let path = file.path
    let source = SQLiteDataSource<Int>(path: path)
    try await source.put(42, forId: "answer").get()
    let answer = try await source.get("answer").get()
    #expect(answer == 42)

    let users = SQLiteDataSource<User>(path: path, table: "users", codec: .json)
    try await users.put(User(name: "Ada", age: 36), forId: 1).get()
    let everybody = try await users.getAll(AllObjectsQuery()).get()
    #expect(everybody == [User(name: "Ada", age: 36)])

    try await file.execute(
      """
      CREATE TABLE settings(name TEXT PRIMARY KEY, setting TEXT);
      INSERT INTO settings VALUES('theme', 'dark');
      """)
    let table = SQLiteEntryTable(
      "settings", keyColumn: "name", valueColumn: "setting", countColumn: nil)
    let settings = SQLiteDataSource<String>(path: path, table: table, access: .writing)
    let theme = try await settings.get("theme").get()
    #expect(theme == "dark")
  }
}
