import Foundation
import Testing

/// Environment variables in place of options.
@Suite struct EnvironmentTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('a:b', 1), ('a:c', 2);")
  }

  @Test func `a variable sets an option`() throws {
    let refused = try Shell.larder(
      "put", database, "a:b", "5", environment: ["LARDER_READ_ONLY": "1"])
    #expect(refused.code == 5)
    let listed = try Shell.larder("ls", database, environment: ["LARDER_LIMIT": "1"])
    #expect(listed.text == "a:b\n")
  }

  @Test func `the command line overrides the environment, which overrides the file`() throws {
    let settings = try scratch.file("settings.json", Array(#"{"read-only": true}"#.utf8))
    let named = ["LARDER_CONFIG": settings]
    #expect(try Shell.larder("put", database, "a:b", "5", environment: named).code == 5)
    #expect(
      try Shell.larder("put", database, "a:b", "6", "--read-only=no", environment: named).code == 0)
    let other = named.merging(["LARDER_READ_ONLY": "no"]) { $1 }
    #expect(try Shell.larder("put", database, "a:b", "7", environment: other).code == 0)
    #expect(
      try Shell.larder("put", database, "a:b", "8", "--read-only", environment: other).code == 5)
    #expect(try scratch.query(database, "SELECT v FROM kv WHERE k = 'a:b'") == ["7"])
  }

  @Test(
    arguments: [
      (["LARDER_LIMIT": "many"], "LARDER_LIMIT takes a whole number, not “many”"),
      (["LARDER_READ_ONLY": "perhaps"], "LARDER_READ_ONLY takes yes or no, not “perhaps”"),
      (["LARDER_SORT": "siez"], "Did you mean size?"),
    ])
  func `a mistake names the variable`(environment: [String: String], sentence: String) throws {
    let outcome = try Shell.larder("ls", database, environment: environment)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(sentence))
  }

  @Test func `an unknown variable similar to a known one is reported`() throws {
    let outcome = try Shell.larder("ls", database, environment: ["LARDER_READONLY": "1"])
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("did you mean LARDER_READ_ONLY?"))
  }

  @Test(arguments: [
    ["put", "a:b", "5"], ["put", "a:b", "5", "--type", "text"], ["undo"], ["redo"], ["undo", "1"],
    ["screen", "--keys", "dy"],
  ])
  func `Writing commands without a dry run are refused under LARDER_DRY_RUN`(words: [String])
    throws
  {
    let state = ["XDG_STATE_HOME": scratch.file("state")]
    func larder(_ words: [String], _ isDry: String) throws -> Int32 {
      var words = words
      if ["put", "screen", "get", "rm"].contains(words[0]) { words.insert(database, at: 1) }
      return try Shell.run(
        Shell.larder, words, environment: state.merging(["LARDER_DRY_RUN": isDry]) { $1 }
      ).code
    }
    #expect(try larder(["put", "a:c", "7"], "no") == 0)
    let before = try Data(contentsOf: URL(filePath: database))
    #expect(try larder(words, "1") == 2)
    #expect(try larder(["rm", "a:b"], "1") == 0)
    #expect(try larder(["get", "a:b"], "1") == 0)
    #expect(try Data(contentsOf: URL(filePath: database)) == before)
    // Commands that never write are not affected.
    #expect(try larder(["screen", "--read-only"], "1") == 0)
  }

  @Test func `options about a single call have no variable`() throws {
    let outcome = try Shell.larder(
      "rm", database, "a:b", environment: ["LARDER_PREFIX": "a", "LARDER_YES": "1"])
    #expect(outcome.code == 0)
    #expect(try scratch.query(database, "SELECT k FROM kv") == ["a:c"])
  }

  @Test(
    arguments: [
      ("themes", []), ("stats", ["--ttl", "--read-only", "--delimiter"]),
      ("diff", ["--ttl", "--read-only"]),
      ("cp", ["--ttl", "--read-only", "--no-journal"]),
      ("rm", ["--ttl", "--read-only", "--no-journal"]), ("ls", ["--ttl", "--read-only"]),
      ("put", ["--ttl", "--read-only", "--no-journal"]),
      ("undo", ["--ttl", "--read-only", "--no-journal"]),
      ("demo", ["--ttl", "--read-only", "--no-journal", "--theme", "--delimiter"]),
    ])
  func `help lists the common options that make a difference`(_ name: String, expected: [String])
    throws
  {
    let options = try Shell.larder(name, "--help").lines.compactMap {
      $0.hasPrefix("  --") ? $0.split(separator: " ").first.map { String($0) } : nil
    }
    #expect(options.contains("--color"))
    let varying = ["--ttl", "--read-only", "--no-journal", "--theme", "--delimiter"]
    #expect(Set(options).intersection(varying) == Set(expected))
  }

  @Test func `help shows the default and the variable of each option`() throws {
    let help = try Shell.larder("ls", "--help").text
    let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("[default: the order of the store] [env: LARDER_SORT]"))
    // Invalid variables do not affect the help.
    let wrong = try Shell.larder("ls", "--help", environment: ["LARDER_LIMIT": "x"])
    #expect(wrong.code == 0 && wrong.text == help)
  }

  @Test(
    arguments: [
      (["sl"], "did you mean larder ls?"), (["ls", "--jsno"], "did you mean --json?"),
      (["get", "x", "y", "--as", "jsn"], "Did you mean json?"), (["help", "pt"], "did you mean"),
    ])
  func `the nearest word is suggested`(words: [String], sentence: String) throws {
    let outcome = try Shell.run(Shell.larder, words)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(sentence))
  }
}
