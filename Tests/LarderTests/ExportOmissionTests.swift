import Foundation
import Testing

/// Entries that an export omits because they cannot be imported again.
@Suite struct ExportOmissionTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(arguments: [[], ["--no-journal"]])
  func `Rows that share a key are named, and the others restored`(options: [String]) throws {
    let database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v TEXT);
      INSERT INTO kv VALUES (NULL, '1'), (NULL, '2'), ('a', '3');
      """)
    let export = try Shell.larder("export", database)
    #expect(export.code == 3)
    #expect(export.lines.count == 2)
    #expect(
      export.errors.contains("the export is incomplete: 2 entries were exported, and 1 left out"),
      "\(export.errors)")
    #expect(export.errors.contains("repeats an earlier key"))
    #expect(export.errors.hasSuffix(": null\n"))
    _ = try scratch.query(database, "DELETE FROM kv")
    let outcome = try Shell.run(
      Shell.larder, ["import", database] + options, input: export.output)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try scratch.query(database, "SELECT v FROM kv ORDER BY v") == ["1", "3"])
  }

  @Test func `Rows that share a key are detected across pages`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO kv SELECT NULL, i FROM n;
      INSERT INTO kv VALUES ('a', '3');
      """)
    let export = try Shell.larder("export", database)
    #expect(export.code == 3)
    #expect(export.lines.count == 2)
    #expect(export.errors.contains("2999 left out"), "\(export.errors)")
  }

  @Test func `Elements that Android does not write are named, and the others restored`() throws {
    func file(_ name: String, _ elements: String) throws -> String {
      try scratch.file(
        name,
        "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map>\n\(elements)</map>\n".utf8)
    }
    let old = try file(
      "old.xml",
      "    <int name=\"a\" value=\"1\" />\n    <foo name=\"weird\">1</foo>\n    <long name=\"l\" value=\"1\" />\n"
    )
    let new = try file("new.xml", "")
    let export = try Shell.larder("export", old)
    #expect(export.code == 3)
    #expect(export.lines.count == 2)
    #expect(
      export.errors.contains("1 left out because import cannot write its type: weird"),
      "\(export.errors)")
    let outcome = try Shell.run(Shell.larder, ["import", new], input: export.output)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try Shell.larder("export", new).output == export.output)
  }

  @Test func `A file too large to be read is not mistaken for a link`() throws {
    try FileManager.default.createDirectory(
      atPath: scratch.file("root"), withIntermediateDirectories: true)
    _ = try scratch.file("root/file", "1".utf8)
    let path = try scratch.file("root/huge", [])
    #expect(truncate(path, 300 << 20) == 0)
    #expect(symlink("file", scratch.file("root/link")) == 0)
    let export = try Shell.larder("export", scratch.file("root"))
    #expect(export.code == 3)
    #expect(export.lines.count == 1)
    #expect(
      export.errors.contains(
        "1 left out because it has no value (links or special files): link; 1 left out because it "
          + "cannot be read: huge (is too large to read: 314,572,800 bytes; the maximum is 256 MiB)"
      ),
      "\(export.errors)")
  }

  @Test(.enabled(if: geteuid() != 0))
  func `An unreadable file is not mistaken for a link`() throws {
    try FileManager.default.createDirectory(
      atPath: scratch.file("root"), withIntermediateDirectories: true)
    let path = try scratch.file("root/file", "1".utf8)
    #expect(chmod(path, 0) == 0)
    let export = try Shell.larder("export", scratch.file("root"))
    #expect(export.code == 3)
    #expect(export.errors.contains("because it cannot be read: file (the permissions inside"))
  }
}
