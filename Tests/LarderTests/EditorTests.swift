import Foundation
import Testing

/// The person's own editor, which has the terminal while it runs.
@Suite(.serialized) struct EditorTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('alpha', 'one'), ('beta', 2);
      """)
  }

  private func start(_ editor: String) throws -> Tmux {
    let tmux = try Tmux(
      "TMPDIR='\(scratch.path)' VISUAL= EDITOR=\"\(editor)\" '\(Shell.larder)' '\(database)'; "
        + "echo ended with $?")
    #expect(try tmux.wait(for: "1 of 2 keys"))
    return tmux
  }

  /// A program for the shell, in a file.
  private func script(_ text: String) throws -> String {
    let path = scratch.path + "/editor"
    try "#!/bin/sh\n\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
    _ = try Shell.run("chmod", ["+x", path])
    return path
  }

  private func value(of key: String) throws -> [String] {
    try scratch.query(database, "SELECT v, typeof(v) FROM kv WHERE k = '\(key)'")
  }

  /// What is left of the files that editors were given.
  private var leftovers: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        .filter { $0.hasPrefix("larder-") }
    }
  }

  @Test func `the editor has the terminal, and what it leaves is saved`() throws {
    let editor = try script(
      """
      stat -c '%a' "$2" > '\(scratch.path)/mode'
      printf 'Say: ' ; read answer
      echo "$1 $answer" >> "$2"
      """)
    let tmux = try start("'\(editor)' -x")
    try tmux.send("E")
    #expect(try tmux.wait(for: "Say:"))
    #expect(try !tmux.isOnAlternateScreen)
    try tmux.send("two", "Enter")
    #expect(try tmux.wait(for: "saved alpha"))
    #expect(try scratch.query(database, "SELECT v FROM kv WHERE k = 'alpha'") == ["one-x two"])
    #expect(try String(contentsOfFile: scratch.path + "/mode", encoding: .utf8) == "600\n")
    #expect(try leftovers == [])
    // The keys are larder's again.
    try tmux.send("j")
    #expect(try tmux.wait(for: "2 of 2 keys"))
    try tmux.send("u")
    #expect(try tmux.wait(for: "undone: "))
    #expect(try value(of: "alpha") == ["one|text"])
  }

  @Test func `Ctrl-C ends the editor and not larder`() throws {
    let tmux = try start("\(try script("echo waiting; exec sleep 1000"))")
    try tmux.send("E")
    #expect(try tmux.wait(for: "waiting"))
    try tmux.send("C-c")
    #expect(
      try tmux.wait {
        unwrapped($0).contains(unwrapped("was ended by signal 2; nothing was changed"))
      }
        != nil)
    try tmux.send("j")
    #expect(try tmux.wait(for: "2 of 2 keys"))
    #expect(try leftovers == [])
  }

  @Test func `Ctrl-Z in the editor stops both, and fg goes on in the editor`() throws {
    let tmux = try start("\(try script("echo waiting; read line; echo $line > \"$1\""))")
    try tmux.send("E")
    #expect(try tmux.wait(for: "waiting"))
    try tmux.send("C-z")
    #expect(try tmux.wait(for: "Stopped"))
    try tmux.send("fg", "Enter")
    #expect(try tmux.wait { $0.contains("larder") && !$0.hasSuffix("$ ") } != nil)
    try tmux.send("three", "Enter")
    #expect(try tmux.wait(for: "saved alpha"))
    #expect(try value(of: "alpha") == ["three|text"])
  }

  @Test func `what no longer fits stays on the screen until its type is changed`() throws {
    let tmux = try start("\(try script("echo two > \"$1\""))")
    try tmux.send("j")
    #expect(try tmux.wait(for: "2 of 2 keys"))
    try tmux.send("E")
    #expect(try tmux.wait(for: "not a whole number"))
    #expect(try value(of: "beta") == ["2|integer"])
    // Integer, real, data, null, text.
    try tmux.send("C-t", "C-t", "C-t", "C-t")
    #expect(try tmux.wait(for: "Edit beta (text)"))
    try tmux.send("C-s")
    #expect(try tmux.wait(for: "saved beta"))
    #expect(try value(of: "beta") == ["two|text"])
  }

  @Test(arguments: [
    ("/nowhere/at/all", "there is no such command"),
    ("false", "ended with status 1; nothing was changed"),
    ("rm", "cannot be read any more"),
    ("printf '\\\\377' >", "is not UTF-8 any more; it is kept in"),
  ])
  func `an editor that fails is named, and nothing is written`(
    editor: String, problem: String
  ) throws {
    let tmux = try start(editor)
    try tmux.send("E")
    #expect(try tmux.wait { unwrapped($0).contains(unwrapped(problem)) } != nil)
    #expect(try value(of: "alpha") == ["one|text"])
    #expect(try leftovers.isEmpty != problem.contains("kept"))
    try tmux.send("q")
    #expect(try tmux.wait(for: "ended with 0"))
  }

  /// A screen without its line ends and spaces: a message may go over several lines.
  private func unwrapped(_ screen: String) -> String {
    screen.filter { !$0.isWhitespace }
  }
}
