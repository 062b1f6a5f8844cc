import Foundation
import Testing

/// Conditions of `put` on the existing entry, checked before the value.
@Suite struct PutConditionTests {
  private let scratch: Scratch
  private let table: String

  init() throws {
    scratch = try Scratch()
    let database = try scratch.database(
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('n', 5), ('t', 'text');")
    table = "\(database)#kv"
  }

  @Test func `A key that exists is a conflict for --create, whatever its type`() throws {
    let outcome = try Shell.larder("put", table, "n", "hello", "--create")
    #expect(outcome.code == 4)
    #expect(outcome.errors.contains("exists"))
    #expect(try Shell.larder("get", table, "n").text == "5\n")
  }

  @Test(arguments: [[], ["--create"]])
  func `A key equal to an existing one in the table is a conflict`(_ words: [String]) throws {
    let database = try scratch.database(
      "twins.db",
      "CREATE TABLE t (k TEXT COLLATE NOCASE PRIMARY KEY, v); INSERT INTO t VALUES ('Key', 1);")
    let put = ["put", "\(database)#t", "KEY", "2", "--type", "integer"] + words
    #expect(try Shell.run(Shell.larder, put).code == 4)
    #expect(try scratch.query(database, "SELECT k, v FROM t") == ["Key|1"])
  }

  @Test func `An entry that became another type is a conflict for --expect`() throws {
    let json = try Shell.larder("get", table, "t", "--json").text
    let fingerprint = try #require(json.firstMatch(of: /"fingerprint": ?"([0-9a-f]{32})"/)?.1)
    #expect(try Shell.larder("put", table, "t", "7", "--type", "integer").code == 0)
    let outcome = try Shell.larder("put", table, "t", "text", "--expect", String(fingerprint))
    #expect(outcome.code == 4)
    #expect(outcome.errors.contains("changed"))
    #expect(try Shell.larder("get", table, "t").text == "7\n")
  }

  @Test func `A deleted entry is a conflict for --expect`() throws {
    let outcome = try Shell.larder(
      "put", table, "gone", "x", "--expect", String(repeating: "0", count: 32))
    #expect(outcome.code == 4, "\(outcome.errors)")
  }
}
