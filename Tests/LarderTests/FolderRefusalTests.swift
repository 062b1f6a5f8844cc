import Foundation
import Testing

/// Messages when permissions inside a folder stop several changes.
@Suite struct FolderRefusalTests {
  private let scratch: Scratch
  private let folder: String
  /// The command that runs larder as a user subject to file permissions.
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

  @Test(arguments: ["", "sub/"])
  func `A name that is too long for a file is named`(parent: String) throws {
    let key = parent + String(repeating: "a", count: 300)
    chmod(scratch.file("files/sub"), 0o755)
    for words in [["put", folder, key, "v"], ["mv", folder, "a", key]] {
      let refused = try larder(words)
      #expect(refused.code == 3 && refused.errors.contains(key.prefix(50)), "\(refused.errors)")
    }
    for word in ["get", "rm"] { #expect(try larder([word, folder, key]).code == 1) }
    #expect(try larder(["ls", folder]).lines == ["a", "b", "sub/x"])
  }

  @Test func `A deletion says that files were deleted`() throws {
    let outcome = try larder(["rm", folder, "a", "b", "sub/x"])
    #expect(outcome.code == 5)
    #expect(outcome.errors.contains("sub/x cannot be deleted"), "\(outcome.errors)")
    #expect(
      outcome.errors.components(separatedBy: "deleted before it").count == 2, "\(outcome.errors)")
    #expect(try larder(["ls", folder]).lines == ["sub/x"])
    #expect(!outcome.errors.contains("written"))
  }

  @Test func `An unreadable folder is listed and never skipped silently`() throws {
    func closed(_ words: [String]) throws -> Outcome {
      chmod(scratch.file("files/sub"), 0)
      return try larder(words)
    }
    #expect(try closed(["ls", folder]).text == "a\nb\nsub/\n")
    let export = try closed(["export", folder])
    #expect(export.code == 3)
    #expect(
      export.errors.contains("sub/ (a folder that you have no permission to read)"),
      "\(export.errors)")
    #expect(export.text.split(separator: "\n").count == 2)
    let inside = try closed(["ls", folder, "--prefix", "sub/x"])
    #expect(inside.code != 0)
    #expect(inside.errors.contains("ermission"), "\(inside.errors)")
    let value = try closed(["get", folder, "sub/"])
    #expect(value.code == 3)
    #expect(value.errors.contains("sub/ is a folder"), "\(value.errors)")
    for options in [["--no-journal"], []] {
      let deletion = try closed(["rm", folder, "--prefix", "s", "--yes"] + options)
      #expect(deletion.code != 0)
      #expect(deletion.errors.contains("nothing was deleted"), "\(deletion.errors)")
      #expect(!deletion.errors.contains("--no-journal"), "\(deletion.errors)")
    }
    let list = try closed(["ls", folder, "--json"])
    #expect(list.lines.last?.hasPrefix(#"{"key":"sub/","type":"folder","size":0"#) == true)
    let renaming = try closed(["mv", folder, "s", "t", "--prefix", "--yes"])
    #expect(renaming.code == 5)
    #expect(renaming.errors.contains("nothing was renamed"), "\(renaming.errors)")
    #expect(try larder(["ls", folder]).text == "a\nb\nsub/x\n")
  }

  @Test func `A prefix with an unreadable folder is not renamed`() throws {
    chmod(scratch.file("files/b"), 0)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("files/bb"), withDestinationPath: "a")
    let renaming = try larder(["mv", folder, "b", "c", "--prefix", "--yes"])
    #expect(renaming.code == 5)
    #expect(renaming.errors.contains("b cannot be read"), "\(renaming.errors)")
    #expect(renaming.errors.contains("nothing was renamed"), "\(renaming.errors)")
  }

  @Test func `An export reports attributes that import would not restore`() throws {
    chmod(scratch.file("files/a"), 0o4755)
    let export = try larder(["export", folder])
    #expect(export.code == 0)
    #expect(export.errors.contains("a (it is setuid or setgid"), "\(export.errors)")
    #expect(export.text.split(separator: "\n").count == 3)
  }

  @Test func `A container names its unreadable part`() throws {
    for path in ["app/shared_prefs", "app/databases"] {
      try FileManager.default.createDirectory(
        atPath: scratch.file(path), withIntermediateDirectories: true)
    }
    let map = "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<map />\n"
    _ = try scratch.file("app/shared_prefs/p.xml", map.utf8)
    chmod(scratch.file("app/databases"), 0)
    defer { chmod(scratch.file("app/databases"), 0o755) }
    let info = try larder(["info", scratch.file("app")])
    #expect(info.text.contains("no permission to read databases"), "\(info.text)")
    let list = try larder(["ls", scratch.file("app")])
    #expect(list.code == 3)
    #expect(list.errors.contains("no permission to read databases"), "\(list.errors)")
  }
}
