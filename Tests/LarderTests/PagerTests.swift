import Foundation
import Testing

/// Long output on a terminal, shown in a pager.
@Suite struct PagerTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
      INSERT INTO kv SELECT printf('key%05d', i), i FROM n;
      """)
  }

  /// Runs larder in a terminal, and prints its exit code.
  private func terminal(_ words: String) throws -> Tmux {
    try Tmux("\(words.replacing("larder ls", with: "'\(Shell.larder)' ls")) ; echo ended with $?")
  }

  @Test(
    arguments: [
      ("LARDER_PAGER='sed s/^/paged-/' larder ls", "paged-key00001"),
      ("PAGER='sed s/^/other-/' larder ls", "other-key00001"),
      ("PAGER=false larder ls --pager 'sed s/^/named-/'", "named-key00001"),
    ])
  func `the chosen pager shows a list`(words: String, sight: String) throws {
    let tmux = try terminal("\(words) \(database) --limit 2")
    #expect(try tmux.wait(for: "ended with 0"))
    #expect(try tmux.screen.contains(sight))
  }

  @Test(
    arguments: [
      "PAGER=false larder ls --no-pager", "LARDER_NO_PAGER=1 PAGER=false larder ls",
      "PAGER= larder ls", "LARDER_PAGER=cat larder ls",
    ])
  func `a list is printed where no pager is wanted`(words: String) throws {
    let tmux = try terminal("\(words) \(database) --limit 2")
    #expect(try tmux.wait(for: "ended with 0"))
    #expect(try tmux.screen.contains("key00001\nkey00002\nended"))
  }

  @Test func `an invalid pager is reported and the list is printed`() throws {
    let tmux = try terminal("LARDER_PAGER=nosuchpager larder ls \(database) --limit 2")
    #expect(try tmux.wait(for: "ended with 0"))
    let screen = try tmux.screen
    #expect(screen.contains("there is no program “nosuchpager”"))
    #expect(screen.contains("key00002"))
  }

  @Test func `the exit code is kept, and earlier messages need no pager`()
    throws
  {
    let tmux = try terminal("LARDER_PAGER='sed s/^/paged-/' larder ls \(database)-not-there")
    #expect(try tmux.wait(for: "ended with 3"))
    let screen = try tmux.screen
    #expect(screen.contains("larder: ") && !screen.contains("paged-"), "\(screen)")
  }

  @Test func `messages after the output are in the pager`() throws {
    try FileManager.default.createDirectory(
      atPath: scratch.file("files"), withIntermediateDirectories: true)
    _ = try scratch.file("files/a", Array("text".utf8))
    _ = try scratch.file("files/b", Array("text".utf8))
    // Messages about omissions appear at the end of the paged output.
    let tmux = try terminal(
      "LARDER_PAGER='sed s/^/paged-/' larder diff \(scratch.file("files")) \(database)".replacing(
        "larder diff", with: "'\(Shell.larder)' diff"))
    #expect(try tmux.wait(for: "ended with 1"))
    #expect(try tmux.screen.contains("paged-larder: 2 removed"))
  }

  @Test func `progress and Ctrl-C work until something is printed`() throws {
    let endless = try scratch.database(
      "endless.db",
      """
      CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
      SELECT x FROM n WHERE x < 0;
      """)
    for options in ["", "--sort size"] {
      let tmux = try terminal(
        "LARDER_PAGER='sed s/^/paged-/' larder ls '\(endless)#endless' \(options)")
      #expect(try tmux.wait(for: options.isEmpty ? "listed 0 entries" : "examined 0 entries"))
      try tmux.send("C-c")
      #expect(try tmux.wait(for: "ended with 130"))
      let screen = try tmux.screen
      #expect(screen.contains("larder: interrupted; 0 entries were "), "\(screen)")
      #expect(!screen.contains("paged-"), "\(screen)")
    }
  }

  @Test func `q ends the pager and the list without a message`() throws {
    let tmux = try terminal("LARDER_PAGER=more larder ls \(database)")
    #expect(try tmux.wait(for: "--More--"))
    try tmux.send("q")
    #expect(try tmux.wait(for: "ended with 0"))
    #expect(try !tmux.screen.contains("larder:"))
  }

  @Test func `Ctrl-C goes to the pager`() throws {
    // The pager handles the signal and continues, as `less` does.
    let pager = try scratch.file(
      "pager", Array("trap 'echo heard' INT\nhead -n 1\nread x </dev/tty\nread x </dev/tty\n".utf8))
    let tmux = try terminal("LARDER_PAGER='bash \(pager)' larder ls \(database)")
    #expect(try tmux.wait(for: "key00001"))
    try tmux.send("C-c")
    #expect(try tmux.wait(for: "heard"))
    #expect(try !tmux.screen.contains("ended"))
    try tmux.send("Enter")
    try tmux.send("Enter")
    #expect(try tmux.wait(for: "ended with"))
  }

  @Test func `the pager is used only on a terminal`() throws {
    let outcome = try Shell.larder(
      "ls", database, "--limit", "2", environment: ["LARDER_PAGER": "sed s/^/paged-/"])
    #expect(outcome.text == "key00001\nkey00002\n")
  }
}
