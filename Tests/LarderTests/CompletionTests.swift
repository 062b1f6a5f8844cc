import Foundation
import Testing

/// Shell completion.
@Suite struct CompletionTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    _ = try scratch.database(
      "app.db",
      """
      CREATE TABLE settings (key TEXT PRIMARY KEY, value);
      INSERT INTO settings VALUES ('user:1:name', 'Ada'), ('user:2:name', 'Bob'), ('my key', 'spaced'),
        ('it''s', 'apostrophe'), ('$HOME', 'money');
      CREATE TABLE sessions (id INTEGER PRIMARY KEY, v); INSERT INTO sessions VALUES (12, 'x');
      """)
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/a folder", withIntermediateDirectories: false)
  }

  /// A long timeout, as a busy machine may be slow.
  private static let patience = ["LARDER_COMPLETION_SECONDS": "600"]

  /// Returns the completions offered to bash for a line with the cursor at its end.
  private func bash(_ line: String, breaks: String = " \t\n\"'@><=;|&(:") throws -> [String] {
    try Shell.run(
      Shell.larder, ["--complete", "bash", line, "\(line.unicodeScalars.count)", breaks],
      environment: Self.patience, folder: scratch.path
    ).lines
  }

  @Test(arguments: [
    ("larder ge", ["get"]), ("larder --read-only ge", ["get"]),
    (
      "larder ls --exp",
      ["--expired", "--expiring", "--expires-column", "--expires-unit", "--expires-zone"]
    ),
    ("larder ls --sort ", ["key", "size", "modified", "expires", "used", "hits"]),
    ("larder ls app.db --sort s", ["size"]), ("larder ls --sort=mo", ["modified"]),
    ("larder --theme nor", ["nord"]), ("larder completions z", ["zsh"]),
    ("larder ls un", ["unix:"]), ("larder ls unix:ap", ["app.db"]),
    ("larder ls ap", ["app.db"]), ("larder app.db ap", ["app.db"]),
    ("larder ls app.db", ["app.db", "app.db#settings", "app.db#sessions"]),
    ("larder ls app.db#set", ["app.db#settings"]),
    ("larder import app.db a", [#"a\ folder/"#, "app.db"]),
    ("larder ls 'a", ["a folder/", "app.db"]),
    ("larder get app.db#settings user:1", ["1:name"]),
    ("larder get app.db#settings 'user:1", ["user:1:name"]),
    ("larder get app.db#settings m", [#"my\ key"#]),
    (#"larder get app.db#settings my\ "#, [#"my\ key"#]),
    (#"larder get app.db#settings "m"#, ["my key"]),
    ("larder get app.db#settings i", [#"it\'s"#]), ("larder get app.db#settings 'i", []),
    (#"larder get app.db#settings \$"#, [#"\$HOME"#]),
    (#"larder get app.db#settings "\$"#, [#"\$HOME"#]),
    ("larder ls app.db#settings --prefix us", ["user:1:name", "user:2:name"]),
    ("larder rm app.db#settings user:1:name user:", ["2:name"]),
    ("larder get app.db#sessions 1", ["12"]),
    ("larder get app.db#sessions 12 ", []), ("larder get nothing.db x", []),
    ("larder get -- app.db#sessions -", []), ("larder undo ap", ["app.db"]),
  ])
  func `Words are completed from the tables of commands and options`(
    line: String, expected: [String]
  ) throws {
    #expect(try bash(line) == expected)
  }

  @Test(arguments: [
    "a\u{600};touch ran", "a;\u{301}touch ran", "a\u{600}>ran", "a$(touch ran)",
    "a\u{600}`touch ran`",
    "a\u{600}$(touch ran)", "~root", "#remark", "a=~root", "a!-2", "a\u{2028}b", "a*", "a{b,c}",
    "é'\"",
    "user:\u{301}x",
  ])
  func `Special characters of the shell are escaped`(key: String) throws {
    _ = try scratch.query(
      scratch.file("app.db"),
      "DELETE FROM settings; INSERT INTO settings VALUES ('\(key.replacing("'", with: "''"))', 'its value')"
    )
    let start = String(key.unicodeScalars.prefix { $0 != "=" && $0 != ":" }.prefix(1))
    for quote in ["", "'", "\""] {
      let typed = quote + (quote.isEmpty && !start.allSatisfy(\.isLetter) ? "" : start)
      for line in ["larder get app.db#settings \(typed)", "larder get app.db#settings \(quote)"] {
        for offer in try bash(line, breaks: "") {
          let script = "\(path) larder get app.db#settings \(quote)\(offer)\(quote)"
          let outcome = try Shell.run("bash", ["-c", script], folder: scratch.path)
          #expect(outcome.lines == ["its value"], "\(script): \(outcome.errors)")
        }
      }
    }
    #expect(!FileManager.default.fileExists(atPath: scratch.file("ran")))
    #expect(try !bash("larder get app.db#settings ", breaks: "").isEmpty)
  }

  @Test func `A completion after a word break continues the word`() throws {
    _ = try scratch.query(
      scratch.file("app.db"), "INSERT INTO settings VALUES ('user:\u{301}x', 'other')")
    #expect(try bash("larder get app.db#settings user:").contains("\u{301}x"))
  }

  @Test func `A key that looks like an option is offered in quotes`() throws {
    _ = try scratch.query(
      scratch.file("app.db"),
      "DELETE FROM settings; INSERT INTO settings VALUES ('--expired', 'no option')")
    let offers = try bash("larder get app.db#settings ")
    try #require(offers == [#"\"--expired\""#])
    let script = "\(path) larder get app.db#settings \(offers[0])"
    let outcome = try Shell.run("bash", ["-c", script], folder: scratch.path)
    #expect(outcome.lines == ["no option"])
  }

  @Test func `A key that looks like a home folder is offered escaped`() throws {
    _ = try scratch.query(
      scratch.file("app.db"),
      "DELETE FROM settings; INSERT INTO settings VALUES ('~root', 'no folder')")
    func offers(_ shell: String, _ typed: String, _ option: String...) throws -> [String] {
      try Shell.run(
        Shell.larder, ["--complete", shell, "ls", "app.db#settings"] + option + [typed],
        environment: Self.patience, folder: scratch.path
      ).lines
    }
    let quoted = [#""~root""#]
    for shell in ["fish", "words"] {
      let empty = try Shell.run(
        Shell.larder, ["--complete", shell, "get", "app.db#settings", ""],
        environment: Self.patience, folder: scratch.path)
      #expect(empty.lines == quoted)
      let home = try Shell.run(
        Shell.larder, ["--complete", shell, "get", "app.db#settings", "~r"],
        environment: Self.patience, folder: scratch.path)
      #expect(home.lines.isEmpty)
      #expect(try offers(shell, "", "--prefix").isEmpty)
    }
    let escaped = try Shell.run(
      Shell.larder, ["--complete", "fish", "get", "app.db#settings", #"\~r"#],
      environment: Self.patience, folder: scratch.path)
    #expect(escaped.lines == ["~root"])
    #expect(try bash(#"larder get app.db#settings \~r"#) == [#"\~root"#])
    #expect(try bash("larder get app.db#settings ~r").isEmpty)
    #expect(
      try Shell.larder("get", scratch.file("app.db#settings"), quoted[0]).lines == ["no folder"])
  }

  @Test func `Completion changes nothing in a store`() throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted()
    let bytes = try Data(contentsOf: URL(filePath: scratch.path + "/app.db"))
    _ = try bash("larder rm app.db#settings ")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == before)
    #expect(try Data(contentsOf: URL(filePath: scratch.path + "/app.db")) == bytes)
  }

  @Test func `The cursor may stand before the end of the line`() throws {
    let words = ["--complete", "bash", "larder gé app.db", "8", " "]
    #expect(try Shell.run(Shell.larder, words, folder: scratch.path).lines == ["get"])
  }

  @Test(arguments: ["tcsh", ""])
  func `Other shells are refused with the names of supported ones`(shell: String) throws {
    let outcome = try Shell.run(
      Shell.larder, shell.isEmpty ? ["completions"] : ["completions", shell])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("bash, zsh, fish"))
  }

  // MARK: Real shells

  /// A shell assignment that puts the built larder first in `PATH`.
  private var path: String {
    "PATH='\(URL(filePath: Shell.larder).deletingLastPathComponent().path)':$PATH"
  }

  @Test(arguments: [
    ("bash --norc", "source <(larder completions bash)"),
    (
      "zsh -f",
      "autoload -Uz compinit; compinit -u -D; source <(larder completions zsh)"
    ),
  ])
  func `Tab completes a command, an option, a collection and a key`(
    shell: String, setUp: String
  ) throws {
    let tmux = try Tmux(
      "cd '\(scratch.path)'; LARDER_COMPLETION_SECONDS=600 \(path) \(shell)", columns: 100)
    try tmux.send("PS1='> '; \(setUp); clear; echo rea''dy", "Enter")
    try #require(try tmux.wait { $0.split(separator: "\n").contains("ready") } != nil)
    try tmux.send("larder ge", "Tab", "app.db#set", "Tab", "my", "Tab", "--js", "Tab", "Enter")
    try #require(try tmux.wait(for: #""value":"spaced""#))
    try tmux.send("larder get app.db#settings user:1", "Tab", "Enter")
    try #require(try tmux.wait(for: "Ada"))
  }

  @Test func `fish completes a command, an option, a collection and a key`() throws {
    func completed(_ line: String) throws -> [String] {
      let script = "larder completions fish | source; complete -C '\(line)'"
      return try Shell.run(
        "bash", ["-c", "\(path) fish --no-config -c \"$1\"", "bash", script],
        environment: Self.patience, folder: scratch.path
      ).lines
    }
    #expect(try completed("larder ge") == ["get\tprint a value"])
    #expect(
      try completed("larder get --js") == [
        "--json\tprint JSON Lines; see larder schema"
      ])
    #expect(try completed("larder ls app.db#set") == ["app.db#settings"])
    #expect(try completed(#"larder get app.db#settings my\ "#) == ["my key"])
    #expect(try completed("larder get app.db#settings user:1") == ["user:1:name"])
  }
}
