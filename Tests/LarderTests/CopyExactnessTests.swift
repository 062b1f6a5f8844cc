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
}
