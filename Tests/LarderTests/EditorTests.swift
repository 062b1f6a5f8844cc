import Foundation
import Testing

/// The user's external editor, which owns the terminal while it runs.
@Suite(.serialized) struct EditorTests {
  private let bench: EditorBench
  private var scratch: Scratch { bench.scratch }
  private var database: String { bench.database }

  init() throws { bench = try EditorBench() }

  private func start(_ editor: String) throws -> Tmux {
    let tmux = try bench.start(editor)
    #expect(try tmux.wait(for: "1 of 2 entries"))
    return tmux
  }

  @Test func `the editor gets the terminal, and its result is saved`() throws {
    let editor = try bench.script(
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
    #expect(try bench.leftovers == [])
    // Larder reads the keys again.
    try tmux.send("j")
    #expect(try tmux.wait(for: "2 of 2 entries"))
    try tmux.send("u")
    #expect(try tmux.wait(for: "undone: "))
    #expect(try bench.value(of: "alpha") == ["one|text"])
  }

  @Test func `Ctrl-C ends the editor and not larder`() throws {
    let tmux = try start("\(try bench.script("echo waiting; exec sleep 1000"))")
    try tmux.send("E")
    #expect(try tmux.wait(for: "waiting"))
    try tmux.send("C-c")
    #expect(try tmux.wait(forWrapped: "was ended by signal 2; nothing was changed"))
    try tmux.send("j")
    #expect(try tmux.wait(for: "2 of 2 entries"))
    #expect(try bench.leftovers == [])
  }

  @Test func `Ctrl-Z in the editor stops both, and fg resumes the editor`() throws {
    let tmux = try start("\(try bench.script("echo waiting; read line; echo $line > \"$1\""))")
    try tmux.send("E")
    #expect(try tmux.wait(for: "waiting"))
    try tmux.send("C-z")
    #expect(try tmux.wait(for: "Stopped"))
    try tmux.send("fg", "Enter")
    #expect(try tmux.wait { $0.contains("larder") && !$0.hasSuffix("$ ") } != nil)
    try tmux.send("three", "Enter")
    #expect(try tmux.wait(for: "saved alpha"))
    #expect(try bench.value(of: "alpha") == ["three|text"])
  }

  @Test func `a text that no longer fits its type stays until the type is changed`() throws {
    let tmux = try start("\(try bench.script("echo two > \"$1\""))")
    try tmux.send("j")
    #expect(try tmux.wait(for: "2 of 2 entries"))
    try tmux.send("E")
    #expect(try tmux.wait(for: "not a whole number"))
    #expect(try bench.value(of: "beta") == ["2|integer"])
    // Cycles through integer, real, data and null to text.
    try tmux.send("C-t", "C-t", "C-t", "C-t")
    #expect(try tmux.wait(for: "Edit beta (text)"))
    try tmux.send("C-s")
    #expect(try tmux.wait(for: "saved beta"))
    #expect(try bench.value(of: "beta") == ["two|text"])
  }

  @Test(arguments: [
    ("/nowhere/at/all", "there is no such command"),
    ("false", "ended with status 1; nothing was changed"),
    ("rm", "can no longer be read"),
    ("ln -sf /dev/null", "can no longer be read"),
    ("printf '\\\\377' >", "is no longer UTF-8; it is kept in"),
  ])
  func `an editor that fails is named, and nothing is written`(
    editor: String, problem: String
  ) throws {
    let tmux = try start(editor)
    try tmux.send("E")
    #expect(try tmux.wait(forWrapped: problem))
    #expect(try bench.value(of: "alpha") == ["one|text"])
    #expect(
      try bench.leftovers.isEmpty != (problem.contains("kept") || editor.hasPrefix("ln")))
    try tmux.send("q")
    #expect(try tmux.wait(for: "ended with 0"))
  }
}
