import Foundation
import Testing

/// Command-line arguments that are not UTF-8.
@Suite struct RawWordTests {
  private let scratch: Scratch
  private let database: String
  private let folder: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database("CREATE TABLE kv (k TEXT PRIMARY KEY, v)")
    folder = scratch.file("folder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func bash(_ words: String) throws -> Outcome {
    try Shell.run("bash", ["-c", "'\(Shell.larder)' \(words)"], folder: scratch.path)
  }

  @Test(arguments: [
    #"put test.db a $'\xff\xfe'"#, #"put test.db $'\xff\xfe' a"#, #"put folder $'n\xffew' hello"#,
    #"put test.db a --type $'\xff' b"#,
  ])
  func `are refused, with advice for keys and values`(words: String) throws {
    let outcome = try bash(words)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("is not UTF-8; nothing was done"), "\(outcome.errors)")
    #expect(outcome.errors.contains("--stdin or --file"))
    #expect(try scratch.query(database, "SELECT count(*) FROM kv") == ["0"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test func `can be given in the suggested notation`() throws {
    #expect(try bash(#"put folder $'n\xffew' hello"#).errors.contains(#""t'6eff6577'""#))
    #expect(try bash(#"put folder "t'6eff6577'" hello"#).code == 0)
    #expect(try bash(#"get folder "t'6eff6577'""#).text == "hello")
    let found = try Shell.run("bash", ["-c", #"cat $'n\xffew'"#], folder: folder)
    #expect(found.text == "hello")
  }

  @Test func `are not reported as missing when they name a file`() throws {
    _ = try Shell.run("bash", ["-c", #"cp test.db $'t\xff.db'"#], folder: scratch.path)
    let outcome = try bash(#"ls $'t\xff.db'"#)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(#"the path “t\xff.db” is not UTF-8"#), "\(outcome.errors)")
    #expect(outcome.errors.contains("Rename the file"))
  }
}
