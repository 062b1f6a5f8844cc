import Foundation
import Testing

/// What is said where the permissions inside a folder stop several changes.
@Suite struct FolderRefusalTests {
  private let scratch: Scratch
  private let folder: String
  /// What runs larder as somebody to whom permissions mean something.
  private let start: [String]

  init() throws {
    scratch = try Scratch()
    folder = scratch.file("files")
    start =
      geteuid() == 0
      ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Shell.larder]
      : ["env", Shell.larder]
    for path in ["files", "files/sub", "state"] {
      try FileManager.default.createDirectory(
        atPath: scratch.file(path), withIntermediateDirectories: true)
    }
    for path in ["files/a", "files/b", "files/sub/x"] { _ = try scratch.file(path, "1".utf8) }
    let others = ["files", "files/a", "files/b", "files/sub/x", "state"]
    for path in others where geteuid() == 0 { chown(scratch.file(path), 65534, 65534) }
    chmod(scratch.file("files/sub"), 0o555)
  }

  private func larder(_ words: [String], input: String = "") throws -> Outcome {
    defer { chmod(scratch.file("files/sub"), 0o755) }
    return try Shell.run(
      start[0], Array(start.dropFirst()) + words, input: Array(input.utf8),
      environment: ["XDG_STATE_HOME": scratch.file("state")])
  }

  @Test(arguments: [[], ["--no-journal"]])
  func `An import names the line and the file`(options: [String]) throws {
    let lines = ["n", "sub/y"].map { "{\"key\":\"\($0)\",\"value\":\"v\"}\n" }.joined()
    let outcome = try larder(["import", folder] + options, input: lines)
    #expect(outcome.code == 5)
    #expect(
      outcome.errors.contains("line 2 of standard input: sub/y cannot be written"),
      "\(outcome.errors)")
    #expect(outcome.errors.contains("one file was written before it"), "\(outcome.errors)")
  }

  @Test func `A deletion says that files were deleted`() throws {
    let outcome = try larder(["rm", folder, "a", "b", "sub/x"])
    #expect(outcome.code == 5)
    #expect(outcome.errors.contains("sub/x cannot be deleted"), "\(outcome.errors)")
    #expect(outcome.errors.contains("2 files were deleted before it"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("written"))
  }
}
