import Foundation
import Testing

/// Entries that are copied from one store to another by a command.
@Suite struct CopyTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('a', 'one'), ('b', 2), ('p.x', 'ex'), ('p.y', 'why');
      """)
  }

  @Test func `types are kept between kinds, and it is one change`() throws {
    let file = try scratch.file("a.json", Array("{}".utf8))
    let outcome = try Shell.larder("cp", database, file)
    #expect(outcome.errors == "larder: copied 4 entries to \(file)\n")
    #expect(try Shell.larder("diff", database, file).code == 0)
    #expect(try Shell.larder("cp", database, file).errors.contains("4 were there already"))
    #expect(try Shell.larder("undo", file).code == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{}")
  }

  @Test func `what is there with another value stays unless it is to be replaced`() throws {
    let file = try scratch.file("a.json", Array(#"{"b": 3}"#.utf8))
    let refused = try Shell.larder("cp", database, file)
    #expect(refused.code == 4)
    #expect(refused.errors.contains("--replace replaces it"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == #"{"b": 3}"#)
    let dry = try Shell.larder("cp", database, file, "--replace", "--dry-run")
    #expect(dry.lines == ["a", "b", "p.x", "p.y"])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == #"{"b": 3}"#)
    #expect(try Shell.larder("cp", database, file, "--replace").code == 0)
    #expect(try Shell.larder("get", file, "b").text == "2\n")
    _ = try Shell.larder("undo", file)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == #"{"b": 3}"#)
  }

  @Test func `what a store cannot hold is refused, and nothing is copied`() throws {
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let refused = try Shell.larder("cp", database, folder)
    #expect(refused.code != 0)
    #expect(refused.errors.contains("nothing of type integer"))
    #expect(refused.errors.contains("1 entry that was written was taken back"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    #expect(try Shell.larder("cp", database, folder, "--prefix", "p.").code == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["p.x", "p.y"])
  }

  @Test func `a column that would make another value is refused`() throws {
    let other = try scratch.database("other.db", "CREATE TABLE kv (k TEXT PRIMARY KEY, v TEXT);")
    let refused = try Shell.larder("cp", database, other)
    #expect(refused.code != 0)
    #expect(refused.errors.contains("nothing was written") || refused.errors.contains("taken back"))
    #expect(try scratch.query(other, "SELECT count(*) FROM kv") == ["0"])
  }

  @Test func `nothing is copied to what is read-only or is gone at the end`() throws {
    let file = try scratch.file("a.json", Array("{}".utf8))
    #expect(try Shell.larder("cp", database, file, "--read-only").code == 5)
    #expect(try Shell.larder("cp", database, "memory:").code == 5)
    #expect(try Shell.larder("cp", database, file, "--prefix", "no such").code == 1)
    #expect(try Shell.larder("cp", database).code == 2)
  }
}
