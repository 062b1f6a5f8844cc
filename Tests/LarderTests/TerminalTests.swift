import Foundation
import Testing

/// Behavior that needs a real terminal: start, signals, suspension and resizing.
@Suite(.serialized) struct TerminalTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('alpha', 'one'), ('beta', 'two'), ('gamma', 'three');
      """)
  }

  private func start(_ more: String = "", columns: Int = 80, rows: Int = 24) throws -> Tmux {
    try Tmux(
      "'\(Shell.larder)' '\(database)' \(more); echo ended with $?", columns: columns, rows: rows)
  }

  @Test func `a value is found, read, edited and deleted`() throws {
    let tmux = try start()
    #expect(try tmux.wait(for: "1 of 3 entries"))
    try tmux.send("/")
    try tmux.send("-l", "bet")
    #expect(try tmux.wait { $0.contains("two") && !$0.contains("gamma") } != nil)
    try tmux.send("Enter")
    try tmux.send("e")
    try tmux.send("-l", "!")
    try tmux.send("Enter")
    #expect(try tmux.wait(for: "saved beta"))
    #expect(try scratch.query(database, "SELECT v FROM kv WHERE k = 'beta'") == ["two!"])
    try tmux.send("d")
    #expect(try tmux.wait(for: "Delete beta from test.db#kv?"))
    try tmux.send("y")
    #expect(try tmux.wait(for: "deleted beta"))
    #expect(try scratch.query(database, "SELECT k FROM kv ORDER BY k") == ["alpha", "gamma"])
    try tmux.send("q")
    #expect(try tmux.wait(for: "ended with 0"))
    #expect(try !tmux.isOnAlternateScreen)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func `a signal restores the terminal`(signal: Int32) throws {
    let tmux = try start()
    #expect(try tmux.wait(for: "1 of 3 entries"))
    let process = try #require(try tmux.process(named: "larder"))
    kill(process, signal)
    #expect(try tmux.wait(for: "ended with \(128 + signal)"))
    #expect(try !tmux.isOnAlternateScreen)
    try tmux.send("echo typed", "Enter")
    #expect(try tmux.wait { $0.contains("$ echo typed\ntyped") } != nil)
  }

  @Test func `the session is saved under repeated hang-ups`() throws {
    let state = scratch.path + "/state"
    let tmux = try Tmux("XDG_STATE_HOME='\(state)' '\(Shell.larder)' '\(database)'; echo ended")
    #expect(try tmux.wait(for: "1 of 3 entries"))
    let process = try #require(try tmux.process(named: "larder"))
    while kill(process, SIGHUP) == 0 { sched_yield() }
    #expect(try tmux.wait(for: "ended"))
    #expect(FileManager.default.fileExists(atPath: state + "/larder/sessions/last.value"))
  }

  @Test func `a trap restores the terminal`() throws {
    // Swift's interactive crash report would wait for a key.
    let tmux = try Tmux(
      "SWIFT_BACKTRACE=enable=no '\(Shell.larder)' '\(database)'; echo ended with $?")
    #expect(try tmux.wait(for: "1 of 3 entries"))
    let process = try #require(try tmux.process(named: "larder"))
    kill(process, SIGILL)
    #expect(try tmux.wait(for: "ended with"))
    #expect(try !tmux.isOnAlternateScreen)
  }

  @Test func `Ctrl-Z returns to the shell and fg resumes`() throws {
    let tmux = try start()
    #expect(try tmux.wait(for: "1 of 3 entries"))
    try tmux.send("C-z")
    #expect(try tmux.wait(for: "Stopped"))
    #expect(try !tmux.isOnAlternateScreen)
    try tmux.send("fg", "Enter")
    #expect(try tmux.wait(for: "1 of 3 entries"))
    try tmux.send("j")
    #expect(try tmux.wait(for: "2 of 3 entries"))
  }

  @Test func `--resume reopens the last session`() throws {
    let state = "XDG_STATE_HOME='\(scratch.path)/state'"
    let tmux = try Tmux(
      "\(state) '\(Shell.larder)' '\(database)'; \(state) '\(Shell.larder)' --resume")
    #expect(try tmux.wait(for: "1 of 3 entries"))
    try tmux.send("G")
    #expect(try tmux.wait(for: "3 of 3 entries"))
    try tmux.send("q")
    #expect(try tmux.wait { $0.contains("3 of 3 entries") && $0.contains("three") } != nil)
    try tmux.send("k")
    #expect(try tmux.wait(for: "2 of 3 entries"))
  }

  @Test func `without a session, --resume opens the current folder`() throws {
    let tmux = try Tmux(
      "cd '\(scratch.path)'; XDG_STATE_HOME='\(scratch.path)/state' '\(Shell.larder)' --resume")
    #expect(try tmux.wait(for: "1 of 3 entries"))
  }

  @Test func `the screen follows the size of the window`() throws {
    let tmux = try start()
    #expect(try tmux.wait(for: "1 of 3 entries"))
    try tmux.resize(columns: 120, rows: 30)
    #expect(
      try tmux.wait { screen in
        let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count >= 30 && lines[28].contains("1 of 3 entries")
      } != nil)
    try tmux.resize(columns: 20, rows: 6)
    #expect(try tmux.wait { $0.contains("alpha") && !$0.contains("│") } != nil)
    try tmux.send("j", "Enter")
    #expect(try tmux.wait(for: "two"))
    try tmux.resize(columns: 1, rows: 1)
    try tmux.resize(columns: 80, rows: 24)
    #expect(try tmux.wait(for: "2 of 3 entries"))
  }

  @Test func `NO_COLOR draws without colors`() throws {
    let tmux = try Tmux("NO_COLOR=1 '\(Shell.larder)' '\(database)'")
    #expect(try tmux.wait(for: "1 of 3 entries"))
    let styled = try tmux.styledScreen
    #expect(styled.firstMatch(of: /\[([0-9;]*;)?[349][0-8]m/) == nil, "\(styled)")
    #expect(!styled.contains("38;") && !styled.contains("48;"))
  }

  @Test func `quitting while a search runs is prompt and leaves no lock`() throws {
    let big = try scratch.database(
      "big.db",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)
      INSERT INTO t SELECT i, 'value' FROM n;
      """)
    let tmux = try Tmux("'\(Shell.larder)' '\(big)'; echo ended with $?")
    #expect(try tmux.wait(for: "1 of"))
    try tmux.send("/")
    try tmux.send("-l", "nothing like it")
    try tmux.send("C-c", "q")
    #expect(try tmux.wait(for: "ended with 0"))
    #expect(try scratch.query(big, "BEGIN EXCLUSIVE; SELECT 'free'; ROLLBACK;") == ["free"])
  }
}

extension Tmux {
  /// The current contents of the screen with escape sequences for styles.
  fileprivate var styledScreen: String {
    get throws { try tmux("capture-pane", "-p", "-e").text }
  }
}
