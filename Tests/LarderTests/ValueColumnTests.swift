import Foundation
import Testing

/// Cache tables on the command line: only the value column is shown and written.
@Suite struct ValueColumnTests {
  private let scratch: Scratch
  private let database: String
  private var cache: String { database + "#cache" }

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE cache (key TEXT PRIMARY KEY, value BLOB, expiration INTEGER NOT NULL, hits INTEGER);
      INSERT INTO cache VALUES ('a', x'00ff', 1790000000, 3), ('b', '{"n": 1}', 1790000001, 4);
      """)
  }

  private func larder(_ words: String...) throws -> Outcome {
    try Shell.run(
      Shell.larder, words, environment: ["XDG_STATE_HOME": scratch.file("state")])
  }

  private func rows() throws -> [String] {
    try scratch.query(
      database, "SELECT key, quote(value), expiration, hits FROM cache ORDER BY key")
  }

  @Test func `get prints the value, or all columns with --json`() throws {
    #expect(try larder("get", cache, "a", "--as", "raw").output == [0x00, 0xFF])
    #expect(try larder("get", cache, "b").lines == [#"{"n": 1}"#])
    let json = try larder("get", cache, "b", "--json").text
    #expect(json.contains(#""expiration":1790000001"#) && json.contains(#""type":"record""#))
    let info = try larder("info", cache).text
    #expect(
      info.contains(
        "cache: keys from key (the primary key), values from value, plus other columns"))
  }

  @Test func `y copies what get prints, and Ctrl-Y the whole row`() throws {
    let value = try larder("get", cache, "b").text.trimmingCharacters(in: .newlines)
    let row = try larder("get", cache, "b", "--json").text
    for (keys, isRow) in [("<Down>y", false), ("<Down><Ctrl-Y>", true)] {
      let screen = try larder("screen", cache, "--size", "100x14", "--keys", keys).text
      let count = try #require(screen.firstMatch(of: /\((\d+) bytes?\)/).flatMap { Int($0.1) })
      #expect((count > value.utf8.count) == isRow, "\(screen) \(row)")
      if !isRow { #expect(count == value.utf8.count) }
    }
  }

  @Test func `put writes only the value column, and undo restores it`() throws {
    let before = try rows()
    #expect(try larder("put", cache, "b", "plain").code == 0)
    #expect(try rows()[1] == "b|'plain'|1790000001|4")
    #expect(try larder("put", cache, "a", "01").code == 0)
    #expect(try rows()[0] == "a|X'01'|1790000000|3")
    #expect(try larder("undo").code == 0 && larder("undo").code == 0)
    #expect(try rows() == before)
    #expect(try larder("put", cache, "b", #"{"hits":9}"#, "--type", "record").code == 0)
    #expect(try rows()[1] == #"b|'{"n": 1}'|1790000001|9"#)
    #expect(try larder("rm", cache, "a").code == 0)
    #expect(try larder("undo").code == 0)
    #expect(try rows()[0] == before[0])
  }

  @Test func `Digits are stored with the type of the column`() throws {
    let numbers = try scratch.database(
      "numbers.db",
      """
      CREATE TABLE s (key TEXT PRIMARY KEY, value INTEGER);
      CREATE TABLE r (key TEXT PRIMARY KEY, value REAL);
      """)
    #expect(try larder("put", numbers + "#s", "a", "42").code == 0)
    #expect(try larder("put", numbers + "#s", "b", "43", "--no-journal").code == 0)
    #expect(try larder("put", numbers + "#s", "c", "4x").code == 0)
    #expect(try larder("put", numbers + "#r", "a", "44").code == 0)
    #expect(
      try scratch.query(numbers, "SELECT quote(value) FROM s UNION ALL SELECT quote(value) FROM r")
        == ["42", "43", "'4x'", "44.0"])
  }

  @Test func `A new entry needs an expiry`() throws {
    let refused = try larder("put", cache, "new", "x")
    #expect(refused.code == 3)
    #expect(
      refused.errors.contains("NOT NULL") && refused.errors.contains("--ttl"), "\(refused.errors)")
    #expect(try larder("put", cache, "new", "x", "--ttl", "1h").code == 0)
    let columns = #"{"value":"y","expiration":5}"#
    #expect(try larder("put", cache, "newer", columns, "--type", "record").code == 0)
    #expect(try rows().last == "newer|'y'|5|NULL" || rows().last == "newer|'y'|5|")
  }
}
