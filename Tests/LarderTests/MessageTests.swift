import Foundation
import Testing

/// Messages on standard error that contain hostile names.
@Suite struct MessageTests {
  private static let hostile = "k\u{1B}[2J\n\u{7F}\u{85}\u{202E}x"
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      "e\u{1B}[31m\n\u{202E}.db",
      """
      CREATE TABLE "t\(Self.hostile)" (k TEXT PRIMARY KEY, v);
      CREATE TABLE u (k TEXT PRIMARY KEY, v);
      CREATE TRIGGER no BEFORE INSERT ON u BEGIN
        SELECT raise(ABORT, 'no\(Self.hostile)larder: imported 9 entries');
      END;
      """)
  }

  @Test func `Control characters of names, keys and database messages are escaped`() throws {
    let hostile = Self.hostile
    let lines = try scratch.file(
      "in\u{1B}\n.jsonl", "{\"key\":\"\\u001b\\u202e\",\"value\":1}\n".utf8)
    let calls: [[String]] = [
      ["ls", database], ["ls", "\(database)#\(hostile)"], ["get", "\(database)#u", hostile],
      ["put", "\(database)#u", hostile, "v"], ["mv", "\(database)#u", hostile, "b"],
      ["rm", "\(database)#u", hostile], ["rm", "\(database)#u", "--prefix", hostile],
      ["import", "\(database)#u", lines], ["import", "\(database)#u", lines, "--no-journal"],
      ["import", "\(database)#u", hostile], ["log", hostile], ["undo", hostile],
      ["watch", hostile], ["--\(hostile)"], ["ls", database, "--regex", "(" + hostile],
      ["ls", database, "--limit", hostile], [hostile], ["--theme", hostile, database],
      ["export", database], ["screen", database, "--size", hostile],
    ]
    for words in calls {
      let outcome = try Shell.run(
        Shell.larder, words, environment: ["XDG_STATE_HOME": scratch.file("state")])
      #expect(outcome.code != 0, "\(words)")
      #expect(outcome.errors.hasPrefix("larder: ") && outcome.errors.hasSuffix("\n"), "\(words)")
      let raw = outcome.errors.dropLast().unicodeScalars.filter { scalar in
        [.control, .format, .lineSeparator, .paragraphSeparator]
          .contains(scalar.properties.generalCategory)
      }
      #expect(raw.isEmpty, "\(words): \(outcome.errors.debugDescription)")
    }
  }

  @Test func `info escapes control characters of names`() throws {
    let outcome = try Shell.larder("info", database)
    #expect(outcome.code == 0)
    // One line for each table; a hostile name adds none.
    #expect(outcome.lines.first?.hasPrefix("location        \"") == true)
    #expect(outcome.lines.suffix(3).first == "collections")
    #expect(outcome.lines.suffix(2).first?.hasPrefix("  \"tk\\u{1B}[2J\\n") == true)
    let raw = outcome.text.replacing("\n", with: "").unicodeScalars.filter { scalar in
      [.control, .format, .lineSeparator, .paragraphSeparator]
        .contains(scalar.properties.generalCategory)
    }
    #expect(raw.isEmpty, "\(outcome.text.debugDescription)")
  }
}
