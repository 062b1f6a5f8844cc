import Foundation
import Testing

/// Files in a folder that can be entered but not listed, as is common for home folders.
@Suite struct EnteredFolderTests {
  private let scratch: Scratch
  private let folder: String
  /// The command that runs larder as a user subject to file permissions.
  private let start: [String]

  init() throws {
    scratch = try Scratch()
    folder = scratch.file("home")
    start =
      geteuid() == 0
      ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Shell.larder]
      : ["env", Shell.larder]
    for path in ["home", "state"] {
      try FileManager.default.createDirectory(
        atPath: scratch.file(path), withIntermediateDirectories: true)
    }
    if geteuid() == 0 { chown(scratch.file("state"), 65534, 65534) }
  }

  private func larder(_ words: String...) throws -> Outcome { try larder(words) }

  private func larder(_ words: [String]) throws -> Outcome {
    chmod(folder, 0o111)
    defer { chmod(folder, 0o755) }
    return try Shell.run(
      start[0], Array(start.dropFirst()) + words,
      environment: ["XDG_STATE_HOME": scratch.file("state")])
  }

  @Test(arguments: [
    #"{"a": "x"}"#, #"<plist version="1.0"><dict><key>a</key><string>x</string></dict></plist>"#,
    #"<?xml version='1.0'?><map><string name="a">x</string></map>"#,
  ])
  func `A document is read, and a refused write gives the reason`(text: String) throws {
    let file = try scratch.file("home/file", text.utf8)
    let read = try larder("get", file, "a")
    #expect(read.text == "x", "\(read.errors)")
    #expect(try larder("ls", file).lines == ["a"])
    #expect(try larder("info", file).text.contains("read-only"))
    for words in [["put", file, "a", "y"], ["rm", file, "a"], ["mv", file, "a", "b"]] {
      let outcome = try larder(words)
      #expect(outcome.code == 5, "\(outcome.errors)")
      #expect(outcome.errors.contains("nothing was written"), "\(outcome.errors)")
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
  }
}
