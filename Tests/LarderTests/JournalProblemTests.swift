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
  func `A journal that cannot be read is not one without changes`(problem: Problem) throws {
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

  @Test(arguments: Problem.allCases)
  func `What cannot be recorded is not done, unless that is asked for`(problem: Problem) throws {
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
