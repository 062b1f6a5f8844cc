import Foundation
import Testing

/// The exit code of each command on each kind of store.
@Suite struct ExitCodeTests {
  /// A kind of store with the texts `one` and `two` under the keys `a` and `b`.
  enum Kind: String, CaseIterable {
    case sqlite, folder, plist, preferences, json

    /// Makes a store and returns its location.
    func make(in scratch: Scratch) throws -> String {
      switch self {
      case .sqlite:
        return try scratch.database(
          "CREATE TABLE kv (k TEXT PRIMARY KEY, v TEXT); "
            + "INSERT INTO kv VALUES ('a', 'one'), ('b', 'two');") + "#kv"
      case .folder:
        let folder = scratch.file("files")
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
        _ = try scratch.file("files/a", "one".utf8)
        _ = try scratch.file("files/b", "two".utf8)
        return folder
      case .plist:
        return try scratch.file(
          "a.plist",
          """
          <?xml version="1.0" encoding="UTF-8"?>
          <plist version="1.0"><dict>
          <key>a</key><string>one</string><key>b</key><string>two</string>
          </dict></plist>

          """.utf8)
      case .preferences:
        return try scratch.file(
          "a.xml",
          """
          <?xml version='1.0' encoding='utf-8' standalone='yes' ?>
          <map>
              <string name="a">one</string>
              <string name="b">two</string>
          </map>

          """.utf8)
      case .json: return try scratch.file("a.json", "{\"a\": \"one\", \"b\": \"two\"}\n".utf8)
      }
    }
  }

  /// A command line; `@` is the store, `%` a missing one.
  struct Call: CustomStringConvertible {
    let code: Int32
    let line: String
    var input = ""

    var description: String { line }
  }

  private static let line = #"{"key":"c","type":"text","value":"three"}"# + "\n"
  private static let other = #"{"key":"a","type":"text","value":"other"}"# + "\n"

  private static let calls: [Call] = [
    // Success.
    Call(code: 0, line: "ls @"), Call(code: 0, line: "ls @ --json --long --sort size"),
    Call(code: 0, line: "get @ a"), Call(code: 0, line: "get @ a --json"),
    Call(code: 0, line: "put @ a new"), Call(code: 0, line: "put @ c three --create --json"),
    Call(code: 0, line: "rm @ a"), Call(code: 0, line: "rm @ --prefix a --yes"),
    Call(code: 0, line: "rm @ a --dry-run --read-only"), Call(code: 0, line: "mv @ a c"),
    Call(code: 0, line: "mv @ a c --dry-run"), Call(code: 0, line: "export @"),
    Call(code: 0, line: "import @", input: line),
    Call(code: 0, line: "import @ - --json", input: line),
    Call(code: 0, line: "import @ --dry-run --read-only", input: line),
    Call(code: 0, line: "import @ --replace", input: other), Call(code: 0, line: "info @"),
    Call(code: 0, line: "info @ --json"), Call(code: 0, line: "screen @ --size 40x10"),
    Call(code: 0, line: "diff @ @"), Call(code: 0, line: "diff @ @ --json"),
    Call(code: 0, line: "ls @ --help"),
    // Nothing found.
    Call(code: 1, line: "ls @ --prefix zzz"), Call(code: 1, line: "ls @ --match zzz"),
    Call(code: 1, line: "get @ zzz"), Call(code: 1, line: "rm @ zzz"),
    Call(code: 1, line: "rm @ --prefix zzz --yes"), Call(code: 1, line: "mv @ zzz c"),
    Call(code: 1, line: "export @ --prefix zzz"), Call(code: 1, line: "log @"),
    Call(code: 1, line: "undo @"), Call(code: 1, line: "redo @"), Call(code: 1, line: "undo 1"),
    Call(code: 1, line: "diff @ -", input: line), Call(code: 1, line: "cp @ @ --prefix zzz"),
    // Usage.
    Call(code: 2, line: "ls"), Call(code: 2, line: "ls @ a"), Call(code: 2, line: "ls @ --limit x"),
    Call(code: 2, line: "ls @ --sort x"), Call(code: 2, line: "ls @ --regex ("),
    Call(code: 2, line: "get @"), Call(code: 2, line: "get @ a --as x"),
    Call(code: 2, line: "put @ a"), Call(code: 2, line: "put @ a b --expect x"),
    Call(code: 2, line: "put @ a x --type integer"), Call(code: 2, line: "rm @"),
    Call(code: 2, line: "rm @ --prefix a"), Call(code: 2, line: "rm @ a --expired"),
    Call(code: 2, line: "mv @ a"), Call(code: 2, line: "touch @ a"),
    Call(code: 2, line: "touch @ a --ttl x"), Call(code: 2, line: "export"),
    Call(code: 2, line: "import @", input: "no JSON\n"),
    Call(code: 2, line: "import @ @/none.jsonl"),
    Call(code: 2, line: "info"), Call(code: 2, line: "watch"),
    Call(code: 2, line: "log --no-journal"),
    Call(code: 2, line: "undo --no-journal"), Call(code: 2, line: "screen @ --size x"),
    Call(code: 2, line: "screen"), Call(code: 2, line: "kinds a"), Call(code: 2, line: "themes a"),
    Call(code: 2, line: "completions tcsh"), Call(code: 2, line: "help lss"),
    Call(code: 2, line: "diff @"), Call(code: 2, line: "cp @"), Call(code: 2, line: "ls @ --none"),
    // Missing store.
    Call(code: 3, line: "ls %"), Call(code: 3, line: "get % a"), Call(code: 3, line: "put % a b"),
    Call(code: 3, line: "rm % a"), Call(code: 3, line: "mv % a b"),
    Call(code: 3, line: "touch % a --never"), Call(code: 3, line: "export %"),
    Call(code: 3, line: "import %", input: line), Call(code: 3, line: "info %"),
    Call(code: 3, line: "watch %"), Call(code: 3, line: "screen %"), Call(code: 3, line: "undo %"),
    Call(code: 3, line: "diff @ %"), Call(code: 3, line: "cp % @"), Call(code: 3, line: "cp @ %"),
    // Conflict.
    Call(code: 4, line: "put @ a b --create"),
    Call(code: 4, line: "put @ a b --expect 00000000000000000000000000000000"),
    Call(code: 4, line: "mv @ a b"), Call(code: 4, line: "import @", input: other),
    // Refused.
    Call(code: 5, line: "put @ a b --read-only"), Call(code: 5, line: "rm @ a --read-only"),
    Call(code: 5, line: "rm @ --prefix a --read-only"), Call(code: 5, line: "mv @ a c --read-only"),
    Call(code: 5, line: "import @ --read-only", input: line),
    Call(code: 5, line: "cp @ @ --read-only"),
  ]

  @Test func `An unsupported type has the same exit code in every command`() throws {
    let scratch = try Scratch()
    let from = try scratch.file("from.json", #"{"a": "x", "b": {"c": 1}, "d": null}"#.utf8)
    let row = #"{"key":"b","type":"dictionary","value":{"c":1}}"#
    let database = try scratch.database(
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v INTEGER) STRICT; INSERT INTO kv VALUES ('z', 1)")
    let preferences = try scratch.file(
      "p.xml", "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map>\n</map>\n".utf8)
    let list = try scratch.file(
      "p.plist", #"<plist version="1.0"><dict><key>z</key><integer>1</integer></dict></plist>"#.utf8
    )
    let null = #"{"key":"b","type":"null","value":null}"#
    for (store, type, value, line) in [
      (database, "text", "x", #"{"key":"b","type":"text","value":"x"}"#),
      (preferences, "dictionary", #"{"c":1}"#, row), (list, "null", "null", null),
    ] {
      let put = try Shell.larder("put", store, "b", value, "--type", type, "--no-journal")
      #expect(put.code == 5, "\(put.errors)")
      let copied = try Shell.larder("cp", from, store, "--no-journal")
      #expect(copied.code == 5, "\(copied.errors)")
      let imported = try Shell.larder("import", store, "--no-journal", input: line)
      #expect(imported.code == 5, "\(imported.errors)")
    }
  }

  @Test(arguments: Kind.allCases)
  func `every command ends with the exit code given in the manual`(kind: Kind) throws {
    for call in Self.calls {
      // Each call gets a new store and journal.
      let scratch = try Scratch()
      let place = try kind.make(in: scratch)
      let words = call.line.split(separator: " ").map {
        String($0).replacing("@", with: place).replacing("%", with: scratch.file("none.db"))
      }
      let outcome = try Shell.run(
        Shell.larder, words, input: Array(call.input.utf8),
        environment: ["XDG_STATE_HOME": scratch.file("state")])
      #expect(outcome.code == call.code, "\(kind): larder \(call): \(outcome.errors)")
      // Errors print a message.
      if call.code > 1 {
        #expect(outcome.errors.hasPrefix("larder: "), "\(kind): larder \(call)")
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `undo ends with 0, or with 4 over a conflicting change`(
    kind: Kind
  ) throws {
    let scratch = try Scratch()
    let place = try kind.make(in: scratch)
    func run(_ words: String...) throws -> Int32 {
      try Shell.run(
        Shell.larder, words, environment: ["XDG_STATE_HOME": scratch.file("state")]
      ).code
    }
    #expect(try run("put", place, "a", "new") == 0)
    #expect(try run("log", place) == 0)
    #expect(try run("undo", place) == 0)
    #expect(try run("redo", place) == 0)
    #expect(try run("put", place, "a", "newer", "--no-journal") == 0)
    #expect(try run("undo", place) == 4)
  }

  @Test(arguments: Kind.allCases)
  func `With --json an error is a line of JSON with a code`(kind: Kind) throws {
    let scratch = try Scratch()
    let store = try kind.make(in: scratch)
    func code(_ words: String...) throws -> String? {
      let outcome = try Shell.run(Shell.larder, words + ["--json"])
      let line = try JSONSerialization.jsonObject(with: Data(outcome.errors.utf8))
      let fields = line as? [String: String]
      #expect(fields?["message"]?.isEmpty == false)
      return fields?["error"]
    }
    #expect(try code("get", store, "nowhere") == "notFound")
    #expect(try code("put", store, "a", "x", "--create") == "conflict")
    #expect(try code("put", store, "a", "x", "--read-only") == "readOnly")
    #expect(try code("get", store) == "usage")
    #expect(try code("get", store + "-missing", "a") == "cannotOpen")
  }

}
