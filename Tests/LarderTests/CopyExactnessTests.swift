import Foundation
import Testing

/// Copies and imports store exact values, or are refused and change nothing.
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

  // MARK: Undo

  @Test func `A refused copy leaves the redo history`() throws {
    let target = try folder(["b": []])
    #expect(try Shell.larder("put", target, "one", "1st").code == 0)
    #expect(try Shell.larder("put", target, "two", "2nd").code == 0)
    #expect(try Shell.larder("undo", target).code == 0)
    #expect(try Shell.larder("undo", target).code == 0)
    let refused = try Shell.larder("cp", try json(#"{"a": "x", "b/c": "y"}"#), target)
    #expect(
      refused.errors.contains("1 entry that was written was rolled back"), "\(refused.errors)")
    #expect(try Shell.larder("redo", target).code == 0)
    #expect(try Shell.larder("redo", target).code == 0)
    #expect(try Shell.larder("ls", target).lines == ["b", "one", "two"])
    // A copy that succeeds clears the redo history like any other change.
    #expect(try Shell.larder("undo", target).code == 0)
    #expect(try Shell.larder("cp", try json(#"{"c": "x"}"#), target).code == 0)
    #expect(try Shell.larder("redo", target).code == 1)
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `A refused copy leaves files of bytes as they were`(options: [String]) throws {
    let files: [String: [UInt8]] = [
      "a": [0xFF, 0], "b": [0x78, 0xFE], "c": Array("c".utf8), "d": [],
      "z": [],
    ]
    let target = try folder(files)
    let from = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('a', 'one'), ('b', x'6f6e65'), ('c', x'ff00'),
        ('d', x'61ff'), ('e', x'61ff'), ('z/x', 'y');
      """)
    let refused = try Shell.larder("cp", from, target, "--replace", and: options)
    #expect(refused.code == 3)
    #expect(
      refused.errors.contains("5 entries that were written were rolled back"), "\(refused.errors)")
    for (name, bytes) in files {
      #expect(try Array(Data(contentsOf: URL(filePath: target + "/" + name))) == bytes)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: target).count == files.count)
  }

  @Test func `The line a folder cannot hold is named after lines of bytes`() throws {
    let input =
      "{\"key\":\"a\",\"type\":\"data\",\"value\":{\"base64\":\"b25l\"}}\n"
      + "{\"key\":\"b\",\"value\":5}\n"
    let refused = try Shell.larder("import", try folder(), input: input)
    #expect(refused.code == 3)
    #expect(refused.errors.contains("line 2 of standard input: b is a file"), "\(refused.errors)")
  }

  // MARK: Numbers

  @Test(arguments: ["", "REAL"])
  func `Numbers are copied however they are spelled`(type: String) throws {
    let target = try scratch.database("CREATE TABLE kv (k TEXT PRIMARY KEY, v \(type));")
    let from = try json(#"{"a": 2.50, "b": 1e2, "c": 1E+25, "d": -0.10e1}"#)
    #expect(
      try Shell.larder("cp", from, target).errors == "larder: copied 4 entries to \(target)#kv\n")
    #expect(
      try scratch.query(target, "SELECT v, typeof(v) FROM kv ORDER BY k")
        == ["2.5|real", "100.0|real", "1.0e+25|real", "-1.0|real"])
    for options in [[], ["--replace"]] {
      #expect(
        try Shell.larder("cp", from, target, and: options).errors
          .contains("copied 0 entries to \(target)#kv; 4 were already there"))
    }
    #expect(try Shell.larder("diff", from, target).code == 0)
    let other = try json(#"{"a": 2.51}"#)
    #expect(try Shell.larder("cp", other, target).code == 4)
    #expect(try Shell.larder("diff", other, target, "--prefix", "a").code == 1)
  }

  @Test func `Nested numbers are copied however they are spelled`() throws {
    let bytes = try PropertyListSerialization.data(
      fromPropertyList: ["z": 1], format: .binary, options: 0)
    let target = try scratch.file("a.plist", Array(bytes))
    let from = try json(#"{"a": [2.50, {"b": 1e2}]}"#)
    #expect(try Shell.larder("cp", from, target).code == 0)
    #expect(try Shell.larder("cp", from, target).errors.contains("1 was already there"))
    let lost = try json(#"{"a": [2.50, {"b": 0.30000000000000000001}]}"#)
    #expect(try Shell.larder("cp", lost, target).code == 4)
  }

  @Test func `The spelling of a number is a difference if both stores keep it`() throws {
    let one = try scratch.file("one.json", Array(#"{"a": 2.50}"#.utf8))
    let other = try scratch.file("other.json", Array(#"{"a": 2.5}"#.utf8))
    #expect(try Shell.larder("diff", one, other).code == 1)
    #expect(try Shell.larder("cp", one, other, "--replace").code == 0)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == #"{"a": 2.50}"#)
  }
}
