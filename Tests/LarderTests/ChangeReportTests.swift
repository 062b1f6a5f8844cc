import Foundation
import Testing

/// `--json` on commands that change entries, and the report of entries that an export omits.
@Suite struct ChangeReportTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k PRIMARY KEY, v);
      INSERT INTO kv VALUES ('a.1', 1), ('a.2', 'two'), ('b', x'00FF'), (7, 8), ('c', 9);
      """)
  }

  private func objects(_ words: String..., input: String = "") throws -> [NSDictionary] {
    let outcome = try Shell.run(Shell.larder, words + ["--json"], input: Array(input.utf8))
    return try outcome.lines.map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
    }
  }

  private func fingerprint(_ key: String) throws -> String? {
    try objects("get", database, key).first?["fingerprint"] as? String
  }

  @Test func `mv says which entries have which keys now`() throws {
    let planned = try objects("mv", database, "a.", "z/", "--prefix", "--dry-run")
    #expect(planned.map { $0["key"] as? String } == ["a.1", "a.2"])
    #expect(planned.map { $0["newKey"] as? String } == ["z/1", "z/2"])
    let done = try objects("mv", database, "a.", "z/", "--prefix", "--yes")
    #expect(done.map { $0["key"] as? String } == ["a.1", "a.2"])
    #expect(done.map { $0["newKey"] as? String } == ["z/1", "z/2"])
    #expect(done.map { $0["type"] as? String } == ["integer", "text"])
    #expect(done.map { $0["collection"] as? String } == ["kv", "kv"])
    #expect(try done.last?["fingerprint"] as? String == fingerprint("z/2"))
    let one = try objects("mv", database, "7", "70")
    #expect(one.map { $0["key"] as? Int } == [7])
    #expect(one.map { $0["newKey"] as? Int } == [70])
  }

  @Test func `rm says what it deleted`() throws {
    let data = try fingerprint("b")
    let named = try objects("rm", database, "nope", "b", "7")
    #expect(named.map { $0["key"] as? NSObject } == ["b" as NSString, 7 as NSNumber])
    #expect(named.first?["fingerprint"] as? String == data)
    #expect(named.first?["size"] as? Int == 2)
    #expect(try objects("rm", database, "--prefix", "a.", "--dry-run").count == 2)
    #expect(try scratch.query(database, "SELECT count(*) FROM kv") == ["3"])
    let all = try objects("rm", database, "--prefix", "a.", "--yes")
    #expect(all.map { $0["key"] as? String } == ["a.1", "a.2"])
    #expect(try scratch.query(database, "SELECT k FROM kv") == ["c"])
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try scratch.file("files/old", "text".utf8)
    let expired = try objects("rm", folder, "--expired", "--ttl", "0s", "--yes")
    #expect(expired.map { $0["key"] as? String } == ["old"])
    #expect(!FileManager.default.fileExists(atPath: folder + "/old"))
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `import says how many it wrote`(options: [String]) throws {
    let lines = "{\"key\":\"c\",\"value\":9}\n{\"key\":\"d\",\"value\":1}\n"
    let outcome = try Shell.run(
      Shell.larder, ["import", database, "--json"] + options, input: Array(lines.utf8))
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output))
    let report = try #require(object as? NSDictionary)
    #expect(report["imported"] as? Int == 1)
    #expect(report["same"] as? Int == 1)
    #expect(report["location"] as? String == database)
    #expect(report["collection"] as? String == "kv")
    #expect(outcome.lines.count == 1)
  }

  @Test func `An incomplete export says so and fails`() throws {
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try scratch.file("files/note", "text".utf8)
    #expect(try Shell.larder("export", folder).code == 0)
    for number in 1...7 {
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link\(number)", withDestinationPath: "note")
    }
    let outcome = try Shell.larder("export", folder)
    #expect(outcome.code == 3)
    #expect(outcome.lines.count == 1)
    #expect(
      outcome.errors.contains("the export is incomplete: 1 entry was exported, and 7 left out"))
    #expect(outcome.errors.contains("link1, link2, link3, link4, link5 and 2 more"))
    #expect(try Shell.larder("export", folder, "--prefix", "note").code == 0)
    #expect(try Shell.larder("export", folder, "--prefix", "link7").code == 3)
  }
}
