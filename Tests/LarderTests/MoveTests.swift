import Foundation
import Testing

@Suite struct MoveTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('a.1', 1), ('a.2', 2), ('b', 3);
      """)
  }

  private var contents: [String] {
    get throws { try scratch.query(database, "SELECT k || '=' || v FROM kv ORDER BY k") }
  }

  @Test func `mv renames one entry`() throws {
    #expect(try Shell.larder("mv", database, "b", "c").code == 0)
    #expect(try contents == ["a.1=1", "a.2=2", "c=3"])
  }

  @Test func `mv never takes the place of another entry`() throws {
    let one = try Shell.larder("mv", database, "b", "a.1")
    #expect(one.code == 4)
    #expect(one.errors.contains("a.1 exists already; nothing was renamed"))
    let all = try Shell.larder("mv", database, "a.1", "b", "--prefix", "--yes")
    #expect(all.code == 4)
    #expect(try contents == ["a.1=1", "a.2=2", "b=3"])
  }

  @Test func `mv of what is not there says so`() throws {
    #expect(try Shell.larder("mv", database, "nope", "x").code == 1)
    #expect(try Shell.larder("mv", database, "nope", "x", "--prefix", "--yes").code == 1)
    #expect(try Shell.larder("mv", database, "b").code == 2)
    #expect(try Shell.larder("mv", database, "", "x", "--prefix", "--yes").code == 2)
    #expect(try Shell.larder("mv", database, "b", "c", "--read-only").code == 5)
  }

  @Test func `mv of a prefix asks, says what it would do, and does it`() throws {
    let asked = try Shell.larder("mv", database, "a.", "x/", "--prefix")
    #expect(asked.code == 2)
    #expect(asked.errors.contains("Rename 2 entries"))
    let dry = try Shell.larder("mv", database, "a.", "x/", "--prefix", "--dry-run")
    #expect(dry.lines == ["a.1 → x/1", "a.2 → x/2"])
    #expect(try contents == ["a.1=1", "a.2=2", "b=3"])
    let told = try Shell.larder("mv", database, "a.", "x/", "--prefix", "--yes")
    #expect(told.errors.contains("renamed 2 entries"))
    #expect(try contents == ["b=3", "x/1=1", "x/2=2"])
  }
}
