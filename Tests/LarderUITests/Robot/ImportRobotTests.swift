import Foundation
import LarderJournal
import LarderStores
import LarderUI
import TerminalUI
import Testing

/// Files of exported entries, imported in the browser.
@Suite @MainActor struct ImportRobotTests {
  private let folder: TestFolder
  private let path: String

  init() async throws {
    folder = try TestFolder()
    path = folder.path + "/in.jsonl"
    try await folder.database(
      """
      CREATE TABLE t(key TEXT PRIMARY KEY NOT NULL, value CHECK (value <> 'bad'));
      INSERT INTO t VALUES('a', 'one'), ('z', 'last');
      """)
  }

  private func browser(protected: [String] = []) async throws -> Robot {
    try await Robot(
      ["app.db#t"],
      stores: .sqlite(folder, journal: Journal(path: folder.path + "/state/journal.db")),
      size: Size(width: 120, height: 24), files: .private, protected: protected
    ).settle()
  }

  private func write(_ lines: String...) throws {
    try lines.map { $0 + "\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func rows() async throws -> String? {
    try await folder.text(
      "SELECT coalesce(group_concat(key || '=' || value, ' '), '') FROM (SELECT * FROM t ORDER BY 1)"
    )
  }

  @Test func `An import is one change, which undo reverts`() async throws {
    let browser = try await browser()
    try write(
      #"{"key":"a","value":"one"}"#, #"{"key":"b","value":"two"}"#, #"{"key":"c","value":"three"}"#)
    await browser.pressEach(":import \(path)<Enter>").expect("imported 2 entries")
      .expect("1 was already there").expect("three")
    #expect(try await rows() == "a=one b=two c=three z=last")
    await browser.pressEach("u").expect("undone")
    #expect(try await rows() == "a=one z=last")
  }

  @Test func `Other values are replaced only with --replace`() async throws {
    let browser = try await browser()
    try write(#"{"key":"b","value":"two"}"#, #"{"key":"z","value":"new"}"#)
    await browser.pressEach(":import \(path)<Enter>").expect("line 2 of").expect(
      "nothing was written; :import --replace")
    #expect(try await rows() == "a=one z=last")
    await browser.pressEach(":import --replace \(path)<Enter>").expect("imported 2 entries")
    #expect(try await rows() == "a=one b=two z=new")
  }

  @Test func `A refused line is named, and nothing is written`() async throws {
    let browser = try await browser()
    for line in [#"{"key":"c","value":"bad"}"#, "[1]", #"{"key":"b","value":"twice"}"#] {
      try write(#"{"key":"b","value":"two"}"#, line)
      await browser.pressEach(":import \(path)<Enter>").expect("line 2 of in.jsonl")
        .expect("nothing was written")
      #expect(try await rows() == "a=one z=last")
    }
    await browser.pressEach(":import \(folder.path)/none<Enter>").expect("cannot be read")
  }

  @Test func `What was exported is imported again`() async throws {
    let browser = try await browser()
    await browser.pressEach("A:export \(path)<Enter>").expect("exported 2 entries")
    await browser.pressEach("dy").expect("deleted 2 entries")
    #expect(try await rows() == "")
    await browser.pressEach(":import \(path)<Enter>").expect("imported 2 entries")
    #expect(try await rows() == "a=one z=last")
  }

  @Test func `Only regular files are imported`() async throws {
    let browser = try await browser()
    await browser.pressEach(":import -<Enter>").expect("- cannot be read")
    mkfifo(folder.path + "/pipe", 0o600)
    await browser.pressEach(":import \(folder.path)/pipe<Enter>").expect("not a regular file")
    await browser.pressEach(":import --force \(path)<Enter>").expect("give a file")
  }

  @Test func `An export of a store that cannot be read keeps the older one`() async throws {
    let browser = try await browser()
    await browser.pressEach("A:export \(path)<Enter>").expect("exported 2 entries")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let database = folder.path + "/app.db"
    try FileManager.default.moveItem(atPath: database, toPath: database + ".away")
    await browser.pressEach(":export --replace \(path)<Enter>").expectNot("exported 2")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    try Data(repeating: 1, count: 8_192).write(to: URL(filePath: database))
    await browser.pressEach(":export --replace \(path)<Enter>").expectNot("exported 2")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".tmp") } == [])
  }

  @Test func `Entries that no longer exist are left out and named`() async throws {
    let browser = try await browser()
    await browser.pressEach("A")
    try await folder.database("DELETE FROM t WHERE key = 'a'")
    await browser.pressEach(":export \(path)<Enter>").expect("exported 1 entry")
      .expect("1 left out because it no longer")
  }

  @Test func `Nothing is imported into a protected store`() async throws {
    let browser = try await browser(protected: ["*app.db"])
    try write(#"{"key":"b","value":"two"}"#)
    await browser.pressEach(":import \(path)<Enter>").expect("protected")
    #expect(try await rows() == "a=one z=last")
  }
}
