import Foundation
import Testing

/// Journals that cannot be used.
@Suite struct JournalProblemTests {
  private let scratch: Scratch
  private let database: String
  private var state: [String: String] { ["XDG_STATE_HOME": scratch.file("state")] }
  private var journal: String { scratch.file("state/larder/journal.db") }

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('a', 1)")
  }

  enum Problem: CaseIterable {
    case noDatabase, directory, laterVersion, noFolder, danglingLink
  }

  private func make(_ problem: Problem) throws {
    guard problem != .noFolder else {
      _ = try scratch.file("state", [])
      return
    }
    let folder = scratch.file("state/larder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    switch problem {
    case .noDatabase:
      _ = try scratch.file("state/larder/journal.db", repeatElement(UInt8(ascii: "x"), count: 4096))
    case .directory:
      try FileManager.default.createDirectory(atPath: journal, withIntermediateDirectories: false)
    case .danglingLink:
      try FileManager.default.createSymbolicLink(
        atPath: journal, withDestinationPath: scratch.file("nowhere/journal.db"))
    case .laterVersion:
      _ = try scratch.database("state/larder/journal.db", "PRAGMA user_version = 99")
    case .noFolder: break
    }
  }

  @Test(arguments: Problem.allCases)
  func `An unreadable journal is an error, not an empty one`(problem: Problem) throws {
    try make(problem)
    for words in [
      ["log"], ["undo"], ["redo"], ["undo", "1"], ["redo", "1"], ["log", database],
      ["undo", database], ["redo", database],
    ] {
      let outcome = try Shell.run(Shell.larder, words, environment: state)
      #expect(outcome.code == 3, "\(words): \(outcome.errors)")
      #expect(outcome.errors.contains("the journal \(journal) cannot be read: "))
      #expect(outcome.errors.contains("move it away"))
      #expect(outcome.output.isEmpty)
    }
  }

  @Test func `A change whose key cannot be read is listed and named`() throws {
    let scratch = try Scratch()
    let state = ["XDG_STATE_HOME": scratch.file("state")]
    let json = try scratch.file("a.json", "{\"x\": 1}\n".utf8)
    for value in ["2", "3"] {
      #expect(try Shell.larder("put", json, "x", value, environment: state).code == 0)
    }
    let damage = try Shell.run(
      "sqlite3",
      [scratch.file("state/larder/journal.db"), "UPDATE items SET key = x'FE' WHERE step = 2"])
    #expect(damage.code == 0)
    let log = try Shell.larder("log", environment: state)
    #expect(log.lines.count == 2)
    #expect(log.lines.first?.contains("write (unreadable key) in ") == true, "\(log.text)")
    #expect(log.errors.contains("the key of change 2 cannot be read"), "\(log.errors)")
    let object = try Shell.larder("log", "--json", environment: state).lines.first
    #expect(object?.contains(#""key":null,"unreadable":true"#) == true)
    let undo = try Shell.larder("undo", "2", environment: state)
    #expect(undo.code == 3)
    #expect(undo.errors.contains("change 2"), "\(undo.errors)")
  }

  @Test(arguments: Problem.allCases)
  func `A change that cannot be recorded is refused without --no-journal`(problem: Problem) throws {
    try make(problem)
    for words in [
      ["put", database, "a", "2"], ["rm", database, "a"], ["mv", database, "a", "b"],
      ["rm", database, "--prefix", "a", "--yes"],
    ] {
      let outcome = try Shell.run(Shell.larder, words, environment: state)
      #expect(outcome.code == 3, "\(words): \(outcome.errors)")
      #expect(outcome.errors.contains("the journal \(journal) cannot be written: "))
      #expect(outcome.errors.contains("nothing was written"))
      #expect(outcome.errors.contains("--no-journal"))
    }
    #expect(try scratch.query(database, "SELECT * FROM kv") == ["a|1"])
    let words = ["put", database, "a", "2", "--no-journal"]
    #expect(try Shell.run(Shell.larder, words, environment: state).code == 0)
    #expect(try scratch.query(database, "SELECT * FROM kv") == ["a|2"])
  }
}
