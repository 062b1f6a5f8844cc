import Foundation
import Testing

/// Comparing two stores, or a store with an export.
@Suite struct DiffTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('a', 'one'), ('b', 2), ('c', NULL), ('p.x', 1), ('p.y', 2.5);
      """)
  }

  @Test func `stores of two kinds are compared with their types`() throws {
    let same = try scratch.file(
      "same.json", Array(#"{"p.y": 2.5, "c": null, "b": 2, "a": "one", "p.x": 1}"#.utf8))
    let outcome = try Shell.larder("diff", database, same)
    #expect(outcome.text == "" && outcome.errors == "" && outcome.code == 0)
    let other = try scratch.file(
      "other.json", Array(#"{"a": "one", "b": "2", "d": [1], "p.x": 1, "p.y": 2.5}"#.utf8))
    let differing = try Shell.larder("diff", database, other)
    #expect(differing.lines == [#"changed b 2 → "2""#, "removed c null", "added d [1]"])
    #expect(differing.errors == "larder: 1 removed, 1 added, 1 changed; 3 are the same\n")
    #expect(differing.code == 1)
    let part = try Shell.larder("diff", database, other, "--prefix", "p.")
    #expect(part.text == "" && part.code == 0)
    let lines = try Shell.larder("diff", database, other, "--json")
    #expect(
      lines.lines[0] == #"{"change":"changed","key":"b","type":"text","value":"2","old":2}"#)
  }

  @Test func `a chosen key has to be one of every table, and other stores ignore it`() throws {
    let users = try scratch.database(
      "users.db",
      "CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT UNIQUE, note TEXT); "
        + "INSERT INTO users VALUES (1, 'ann', 'x');")
    let json = try scratch.file("users.json", Array("{}".utf8))
    let keyed = try Shell.larder("diff", users, json, "--key", "email")
    #expect(keyed.code == 1 && keyed.lines.first?.hasPrefix("removed ann") == true)
    let refused = try Shell.larder("diff", users, database, "--key", "email")
    #expect(refused.code == 5 && refused.errors.contains("email is not a unique key"))
  }

  @Test func `numeric keys are sorted alike in a store and its export`() throws {
    let numbers = try scratch.database(
      "numbers.db",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (4, 1), (42, 2), (7, 3);")
    let export = try scratch.file("numbers.jsonl", try Shell.larder("export", numbers).output)
    #expect(try Shell.larder("diff", export, numbers, "--prefix", "4").code == 0)
    _ = try Shell.larder("put", numbers, "42", "9")
    _ = try Shell.larder("put", numbers, "7", "9")
    let outcome = try Shell.larder("diff", export, numbers, "--prefix", "4")
    #expect(outcome.lines == ["changed 42 2 → 9"])
  }

  @Test func `an export is compared, also from standard input and in another order`() throws {
    let export = try Shell.larder("export", database).text
    let file = try scratch.file("before.jsonl", Array(export.utf8))
    _ = try Shell.larder("put", database, "b", "3")
    let expected = ["changed b 2 → 3"]
    #expect(try Shell.larder("diff", file, database).lines == expected)
    #expect(try Shell.larder("diff", "-", database, input: export).lines == expected)
    let reversed = export.split(separator: "\n").reversed().joined(separator: "\n")
    let other = try scratch.file("reversed.jsonl", Array(reversed.utf8))
    #expect(try Shell.larder("diff", other, database).lines == expected)
    #expect(try Shell.larder("diff", file, other).code == 0)
    #expect(try Shell.larder("diff", "-", "-").code == 2)
  }

  @Test func `a truncated export is an error, not a smaller store`() throws {
    let export = try Shell.larder("export", database).text
    let file = try scratch.file("cut.jsonl", Array(export.utf8.dropLast(20)))
    let outcome = try Shell.larder("diff", file, database)
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("may be truncated"))
  }

  @Test func `a table with a custom order is compared`() throws {
    let other = try scratch.database(
      "other.db",
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY COLLATE NOCASE, v);
      INSERT INTO kv VALUES ('a', 'one'), ('B', 2), ('b2', 1), ('C', 3);
      """)
    let third = try scratch.database(
      "third.db",
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('a', 'one'), ('B', 2), ('b2', 1), ('C', 4);
      """)
    #expect(try Shell.larder("diff", other, third).lines == ["changed C 3 → 4"])
  }

  @Test func `memory use does not grow with the number of entries`() throws {
    func databases(_ count: Int) throws -> [String] {
      let paths = try ["one", "two"].map { name in
        try scratch.database(
          "\(name)\(count).db",
          """
          CREATE TABLE kv (k TEXT PRIMARY KEY, v);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
          INSERT INTO kv SELECT printf('key%08d', i), hex(zeroblob(200)) FROM n;
          """)
      }
      _ = try scratch.query(paths[1], "UPDATE kv SET v = 'new' WHERE k = 'key00000150'")
      return paths
    }
    // Measures peak memory in KiB; a limit would count the stacks of threads, too.
    let script = """
      import resource, subprocess, sys
      larder = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE)
      print(larder.returncode, len(larder.stdout.splitlines()))
      print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    func peak(_ count: Int) throws -> Int {
      let command = [Shell.larder, "diff"] + (try databases(count)) + ["--json"]
      let lines = try Shell.run("python3", ["-c", script] + command).lines
      #expect(lines.first == "1 1")
      return try #require(lines.last.flatMap { Int($0) })
    }
    // All entries together would take 160 MB.
    #expect(try peak(200_000) < peak(2_000) + 48 << 10)
  }
}
