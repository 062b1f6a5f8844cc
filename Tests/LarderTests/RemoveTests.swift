import Foundation
import Testing

@Suite struct RemoveTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('a.1', 1), ('a.2', 2), ('ab', 3), ('b', 4);
      """)
  }

  private var left: [String] {
    get throws { try scratch.query(database, "SELECT k FROM kv ORDER BY k") }
  }

  @Test func `rm deletes the keys it is given`() throws {
    #expect(try Shell.larder("rm", database, "b", "a.1").code == 0)
    #expect(try left == ["a.2", "ab"])
  }

  @Test func `rm says which keys are missing and deletes the others`() throws {
    let outcome = try Shell.larder("rm", database, "nope", "b")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("nope"))
    #expect(try left == ["a.1", "a.2", "ab"])
  }

  @Test func `rm of a prefix needs a yes`() throws {
    let asked = try Shell.larder("rm", database, "--prefix", "a.")
    #expect(asked.code == 2)
    #expect(asked.errors.contains("Delete 2 entries"))
    #expect(try left.count == 4)
    let told = try Shell.larder("rm", database, "--prefix", "a.", "--yes")
    #expect(told.code == 0)
    #expect(try left == ["ab", "b"])
  }

  @Test func `rm says what it would delete`() throws {
    let outcome = try Shell.larder("rm", database, "--prefix", "a", "--dry-run")
    #expect(outcome.lines == ["a.1", "a.2", "ab"])
    #expect(try left.count == 4)
  }

  @Test func `rm needs to know what to delete`() throws {
    #expect(try Shell.larder("rm", database).code == 2)
    #expect(try Shell.larder("rm", database, "b", "--prefix", "a").code == 2)
    #expect(try left.count == 4)
  }

  @Test func `rm of what is expired leaves what is fresh`() throws {
    let folder = try Scratch()
    _ = try folder.file("old", "1".utf8)
    _ = try folder.file("new", "2".utf8)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -90)], ofItemAtPath: folder.file("old"))
    let outcome = try Shell.larder("rm", folder.path, "--expired", "--ttl", "1m", "--yes")
    #expect(outcome.code == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["new"])
  }
}
