import Foundation
import Testing

@Suite struct ProgramTests {
  @Test(arguments: [
    (["ls"], "missing store"), (["get", "x.db"], "usage: larder get"),
    (["ls", "--nope", "x"], "unknown option --nope"),
    (["ls", "x", "--limt", "3"], "did you mean --limit?"),
    (["ls", "x", "--limit", "many"], "whole number"),
    (["ls", "x", "--limit"], "needs a value"),
    (["ls", "x", "--sort", "color"], "is not one of them"),
    (["completions", "bsh"], "did you mean bash?"),
    (["rm", "x", "-y"], "--help lists the options"),
    (["ls", "x", "y"], "unexpected argument “y”"),
    (["ls", "x", "--ttl", "soon"], "a duration such as"),
    (["ls", "x", "--regex", "("], "not a valid regular expression"),
    (["put", "x", "k"], "missing VALUE"),
    (["put", "x", "k", "v", "--expect", "zz"], "32 hexadecimal digits"),
    (["screen", "x", "--size", "wide"], "such as 100x30"),
    (["scren", "x"], "did you mean larder screen?"), (["sl"], "did you mean larder ls?"),
    (["frob"], "there is no file and no command “frob”; larder --help"),
    (["demo", "--theme", "nope", "{}"], "nope"),
  ])
  func `mistakes on the command line end with 2 and say what to do`(
    words: [String], text: String
  ) throws {
    let scratch = try Scratch()
    let words = words.map { $0 == "{}" ? scratch.path : $0 }
    let outcome = try Shell.run(Shell.larder, words, folder: scratch.path)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(text), "\(outcome.errors)")
  }

  @Test func `the version names the libraries, too`() throws {
    let lines = try Shell.larder("--version").lines
    #expect(lines.first == "larder 0.1.0")
    let sqlite =
      try Shell.run("sqlite3", [":memory:", "SELECT sqlite_version()"]).lines.first ?? ""
    #expect(lines.last?.hasPrefix("SQLite \(sqlite), ncurses 6.") == true)
    #expect(lines.last?.contains("zlib 1.") == true)
    #expect(lines.count == 2)
  }

  @Test func `a terminal that can do nothing is refused`() throws {
    let scratch = try Scratch()
    let database = try scratch.database("CREATE TABLE t (x);")
    let script = "TERM=dumb script -qec \"'\(Shell.larder)' '\(database)'\" /dev/null; echo $?"
    let outcome = try Shell.run("bash", ["-c", script], environment: ["TERM": "dumb"])
    #expect(outcome.text.contains("set TERM"))
    #expect(outcome.text.split(whereSeparator: \.isNewline).last == "2")
  }

  @Test func `info describes a location and the evidence`() throws {
    let scratch = try Scratch()
    let database = try scratch.database(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v); CREATE VIEW v AS SELECT 1;")
    let line = try Shell.larder("info", database, "--json").text
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let info = try #require(object)
    #expect(info["kind"] as? String == "sqlite")
    #expect((info["recognised"] as? String)?.contains("header") == true)
    let collections = try #require(info["collections"] as? [[String: Any]])
    #expect(collections.map { $0["name"] as? String } == ["t", "v"])
    #expect(collections.map { $0["form"] as? String } == ["table", "view"])
    #expect(collections.map { $0["writable"] as? Bool } == [true, false])
    let reasons = collections.map { $0["readOnly"] as? String }
    #expect(reasons == [nil, "its rows come from other tables"])
    let lines = try Shell.larder("info", database).lines
    #expect(lines.last?.contains("(view, read-only: its rows come") == true)
    let folder = try Shell.larder("info", scratch.path, "--json").text
    #expect(folder.contains(#""kind":"folder""#))
    let memory = try Shell.larder("info", "memory:", "--json").text
    #expect(memory.contains(#""kind":"memory""#))
  }

  @Test(arguments: ["missing.db", "none/of/it", "file:///none/of%20it"])
  func `A single missing location is reported before the browser opens`(
    location: String
  ) throws {
    let outcome = try Shell.larder(location)
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("does not exist"), "\(outcome.errors)")
  }

  @Test(arguments: ["file", "folder", "directory"])
  func `info says why nothing can be written`(what: String) throws {
    let scratch = try Scratch()
    let database = try scratch.database("CREATE TABLE t (id INTEGER PRIMARY KEY, v);")
    let (path, mode) = what == "file" ? (database, 0o444) : (scratch.path, 0o555)
    let location = what == "directory" ? scratch.path : database
    chmod(database, 0o666)
    chmod(path, mode_t(mode))
    defer { chmod(path, 0o755) }
    // File permissions do not restrict root.
    let (program, words) =
      geteuid() == 0
      ? ("setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", Shell.larder])
      : (Shell.larder, [])
    guard try Shell.run(program, words + ["--version"]).code == 0 else { return }
    let outcome = try Shell.run(program, words + ["info", location, "--json"])
    let info = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    let reason = try #require(info["readOnly"] as? String)
    let expected = [
      "file": "(mode 444)", "folder": "its folder", "directory": "its permissions do not allow",
    ]
    #expect(reason.contains(try #require(expected[what])))
    let collections = try #require(info["collections"] as? [[String: Any]])
    #expect(collections.allSatisfy { $0["writable"] as? Bool == false })
    let capabilities = info["capabilities"] as? [String] ?? []
    #expect(!capabilities.contains("writable") && !capabilities.contains("creates"))
    let text = try Shell.run(program, words + ["info", location]).text
    #expect(text.contains("read-only       \(reason)\n"))
    #expect(try !Shell.larder("info", "memory:", "--json").text.contains("readOnly"))
  }

  @Test func `a memory store is seeded from a file`() throws {
    let scratch = try Scratch()
    let seed = try scratch.file("seed.json", #"{"b":1.5,"a":{"base64":"AP8="},"c":[1]}"#.utf8)
    #expect(try Shell.larder("ls", "memory:\(seed)").lines == ["a", "b", "c"])
    let value = try Shell.larder("get", "memory:\(seed)", "a", "--as", "raw")
    #expect(value.output == [0, 0xFF])
  }

  @Test func `screen draws the result of keys`() throws {
    let scratch = try Scratch()
    let database = try scratch.database(
      "CREATE TABLE t (k TEXT PRIMARY KEY, v); INSERT INTO t VALUES ('foo', 1), ('bar', 2);")
    let outcome = try Shell.larder(
      "screen", database, "--size", "60x8", "--keys", "/foo<Enter><Down>")
    #expect(outcome.lines.count == 8)
    #expect(outcome.lines[2].contains("foo"))
    #expect(!outcome.text.contains("bar"))
    let styled = try Shell.larder("screen", database, "--size", "60x8", "--styles")
    #expect(styled.text.contains("list.row.selected"))
  }

  @Test func `demo makes a store of every kind that can be listed`() throws {
    let scratch = try Scratch()
    let outcome = try Shell.larder("demo", scratch.path)
    #expect(outcome.code == 2)
    let samples = outcome.errors.split(separator: "\n").compactMap { line in
      line.split(separator: " sample: ").last.map(String.init)
    }
    // Live sources and servers exist only while their processes run, and the tests must not touch
    // real secrets.
    let kinds = try Shell.larder("kinds").lines.filter { line in
      !["", "unix", "keychain", "redis"].contains(line.prefix { $0 != " " })
    }
    #expect(samples.count >= kinds.count)
    for sample in samples.prefix(kinds.count) {
      #expect(try Shell.larder("screen", sample, "--size", "80x24").code == 0)
    }
  }

  @Test func `The overview fits a screen, and no line of help is wider than a terminal`() throws {
    let overview = try Shell.larder("help").lines
    #expect(overview.count <= 45)
    let pages = try Shell.commands().map { try Shell.larder($0.name, "--help").lines }
    for line in overview + pages.joined() {
      #expect(line.count <= 80, "\(line)")
    }
    for (name, summary) in try Shell.commands() {
      #expect(summary.count <= 60 && name.first?.isLowercase == true, "\(name)")
    }
  }

  @Test func `help names every command`() throws {
    let help = try Shell.larder("--help")
    #expect(help.code == 0)
    for command in ["ls", "get", "put", "rm", "info", "screen", "demo", "kinds", "themes", "keys"] {
      #expect(help.text.contains("\n  \(command) "))
      #expect(try Shell.larder(command, "--help").text.hasPrefix("larder \(command)"))
    }
    #expect(try Shell.larder("--version").text.hasPrefix("larder 0."))
    #expect(try Shell.larder("themes").lines.count >= 3)
  }

  @Test(arguments: [["lss", "q.json"], ["lss", "q.json", "--limit", "3"], ["inof", "."]])
  func `A mistyped command is reported, also without a terminal`(
    words: [String]
  ) throws {
    let scratch = try Scratch()
    _ = try scratch.file("q.json", "{}".utf8)
    let outcome = try Shell.run(Shell.larder, words, folder: scratch.path)
    #expect(outcome.code == 2)
    let near = words[0] == "lss" ? "ls" : "info"
    #expect(
      outcome.errors
        == "larder: there is no file and no command “\(words[0])”; did you mean larder \(near)?\n")
  }

  @Test func `Key-value tables are listed one per line`() throws {
    let scratch = try Scratch()
    let tables = (1...30).map { "CREATE TABLE t\($0) (k TEXT PRIMARY KEY, v);" }
    let database = try scratch.database(tables.joined(separator: "\n"))
    let info = try Shell.larder("info", database)
    #expect(info.lines.contains("key-value       t1: keys from k (the primary key), values from v"))
    #expect(info.lines.contains("                t2: keys from k (the primary key), values from v"))
    #expect(
      info.lines.contains("                t30: keys from k (the primary key), values from v"))
    let json = try JSONSerialization.jsonObject(
      with: Data(try Shell.larder("info", database, "--json").output))
    let facts = try #require((json as? NSDictionary)?["facts"] as? NSDictionary)
    #expect(
      (facts["key-value"] as? String)?
        .hasPrefix("t1: keys from k (the primary key), values from v; t2") == true)
  }
}
