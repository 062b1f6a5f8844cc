import Foundation
import Testing

/// Drafts of unsaved text after a signal has ended larder.
@Suite(.serialized) struct DraftSignalTests {
  private let scratch: Scratch
  private let database: String
  private var state: String { scratch.path + "/state" }

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('alpha', 'one');")
  }

  private func start(_ more: String = "") throws -> Tmux {
    let tmux = try Tmux(
      "XDG_STATE_HOME='\(state)' '\(Shell.larder)' '\(database)' \(more); echo ended with $?")
    #expect(try tmux.wait(for: "1 of 1 entry"))
    return tmux
  }

  /// Types into the editor, and ends larder with a signal.
  private func type(into tmux: Tmux, _ signal: Int32) throws {
    try tmux.send("e")
    try tmux.send("-l", " and more")
    #expect(try tmux.wait(for: "one and more"))
    kill(try #require(try tmux.process(named: "larder")), signal)
    #expect(try tmux.wait(for: "ended with \(128 + signal)"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func `the draft is stored and restored in the next run`(signal: Int32) throws {
    let tmux = try start()
    try type(into: tmux, signal)
    if signal != SIGHUP { #expect(try tmux.screen.contains("Ctrl-E restores it")) }
    let again = try start()
    #expect(try again.wait(for: "Ctrl-E"))
    try again.send("C-e")
    #expect(try again.wait(for: "one and more"))
    try again.send("Enter")
    #expect(try again.wait(for: "saved alpha"))
    #expect(try scratch.query(database, "SELECT v FROM kv") == ["one and more"])
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `with --no-journal nothing is left behind`(signal: Int32) throws {
    let tmux = try start("--no-journal")
    try type(into: tmux, signal)
    #expect(!FileManager.default.fileExists(atPath: state))
    #expect(try !tmux.screen.contains("is kept"))
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    #expect(names == ["test.db"])
  }

  @Test func `with --no-journal neither a change nor a normal end leaves anything behind`() throws {
    let tmux = try start("--no-journal")
    try tmux.send("e")
    try tmux.send("-l", "!")
    try tmux.send("Enter")
    #expect(try tmux.wait(for: "saved alpha"))
    try tmux.send("q")
    #expect(try tmux.wait(for: "ended with 0"))
    #expect(!FileManager.default.fileExists(atPath: state))
    for words in [["put", "alpha", "x"], ["mv", "alpha", "beta"], ["rm", "beta"]] {
      let line = [words[0], database] + words.dropFirst() + ["--no-journal"]
      let outcome = try Shell.run(
        Shell.larder, line, environment: ["XDG_STATE_HOME": state])
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: state))
  }
}
