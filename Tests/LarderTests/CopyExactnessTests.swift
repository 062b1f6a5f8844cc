import Foundation
import Testing

/// What is copied and imported is stored as it was, or refused, and then nothing has changed.
@Suite struct CopyExactnessTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func json(_ text: String) throws -> String {
    try scratch.file("from.json", Array(text.utf8))
  }

  private func folder(_ files: [String: [UInt8]] = [:]) throws -> String {
    let folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, bytes) in files { _ = try scratch.file("files/" + name, bytes) }
    return folder
  }

  // MARK: Taking back

  @Test func `A refused copy leaves what could be done again`() throws {
    let target = try folder()
    #expect(try Shell.larder("put", target, "one", "1st").code == 0)
    #expect(try Shell.larder("put", target, "two", "2nd").code == 0)
    #expect(try Shell.larder("undo", target).code == 0)
    #expect(try Shell.larder("undo", target).code == 0)
    let refused = try Shell.larder("cp", try json(#"{"a": "x", "b": 2}"#), target)
    #expect(refused.errors.contains("1 entry that was written was taken back"), "\(refused.errors)")
    #expect(try Shell.larder("redo", target).code == 0)
    #expect(try Shell.larder("redo", target).code == 0)
    #expect(try Shell.larder("ls", target).lines == ["one", "two"])
    // A copy that stays is a change like any other.
    #expect(try Shell.larder("undo", target).code == 0)
    #expect(try Shell.larder("cp", try json(#"{"c": "x"}"#), target).code == 0)
    #expect(try Shell.larder("redo", target).code == 1)
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `A refused copy leaves files of bytes as they were`(options: [String]) throws {
    let files: [String: [UInt8]] = [
      "a": [0xFF, 0], "b": [0x78, 0xFE], "c": Array("c".utf8), "d": [],
    ]
    let target = try folder(files)
    let from = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('a', 'one'), ('b', x'6f6e65'), ('c', x'ff00'),
        ('d', cast(x'61ff' AS TEXT)), ('e', cast(x'61ff' AS TEXT)), ('z', 5);
      """)
    let refused = try Shell.larder("cp", from, target, "--replace", and: options)
    #expect(refused.code == 3)
    #expect(
      refused.errors.contains("5 entries that were written were taken back"), "\(refused.errors)")
    for (name, bytes) in files {
      #expect(try Array(Data(contentsOf: URL(filePath: target + "/" + name))) == bytes)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: target).count == files.count)
  }

  @Test func `The line that a folder cannot hold is named behind those of bytes`() throws {
    let input =
      "{\"key\":\"a\",\"type\":\"data\",\"value\":{\"base64\":\"b25l\"}}\n"
      + "{\"key\":\"b\",\"value\":5}\n"
    let refused = try Shell.larder("import", try folder(), input: input)
    #expect(refused.code == 3)
    #expect(refused.errors.contains("line 2 of standard input: b is a file"), "\(refused.errors)")
  }
}
