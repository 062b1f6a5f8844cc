import Foundation
import Testing

/// Files that larder makes and uses in places other users can reach.
@Suite struct TrustTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  @Test func `the demo uses a new folder, whatever other users have put beside it`() throws {
    let place = scratch.file("tmp")
    let victim = scratch.file("victim")
    for folder in [place, victim] { #expect(mkdir(folder, 0o700) == 0) }
    #expect(symlink(victim, place + "/larder-demo-\(getuid())") == 0)
    var folders: Set<String> = []
    for _ in 0..<2 {
      let outcome = try Shell.larder("demo", environment: ["TMPDIR": place])
      let sample = try #require(
        outcome.errors.split(separator: "\n").first { $0.hasSuffix("/app.db") })
      let path = try #require(sample.firstIndex(of: "/").map { String(sample[$0...]) })
      var status = stat()
      let folder = (path as NSString).deletingLastPathComponent
      #expect(lstat(folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
      #expect(folder.hasPrefix(place + "/larder-demo-"))
      folders.insert(folder)
    }
    #expect(folders.count == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: victim).isEmpty)
  }

  @Test func `the demo refuses a folder writable by other users`() throws {
    let folder = scratch.file("open")
    #expect(mkdir(folder, 0o700) == 0 && chmod(folder, 0o777) == 0)
    for options in [[], ["--live"]] {
      #expect(try Shell.larder("demo", folder, and: options).code == 3)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  @Test func `the superuser does not use another user's journal`() throws {
    // Only the superuser can give files to another user.
    guard geteuid() == 0 else { return }
    let json = try scratch.file("a.json", #"{"a": 1}"#.utf8)
    let state = ["XDG_STATE_HOME": scratch.file("state")]
    #expect(try Shell.larder("put", json, "a", "2", environment: state).code == 0)
    let written = try Data(contentsOf: URL(filePath: json))
    for name in ["state", "state/larder", "state/larder/journal.db"] {
      #expect(chown(scratch.file(name), 54_321, 54_321) == 0)
    }
    for words in [["undo"], ["log"], ["put", json, "a", "3"]] {
      #expect(try Shell.run(Shell.larder, words, environment: state).code == 3, "\(words)")
    }
    #expect(try Data(contentsOf: URL(filePath: json)) == written)
    #expect(
      try Shell.larder("put", json, "a", "3", "--no-journal", environment: state).code == 0)
    // The superuser must not create files there that the folder's owner could not use.
    try FileManager.default.removeItem(atPath: scratch.file("state/larder"))
    #expect(try Shell.larder("put", json, "a", "4", environment: state).code == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("state")).isEmpty)
  }

  @Test func `a umask that restricts the owner does not lock the journal`() throws {
    let json = try scratch.file("a.json", #"{"a": 1}"#.utf8)
    let outcome = try Shell.run(
      "sh", ["-c", "umask 777; '\(Shell.larder)' put '\(json)' a 2 && '\(Shell.larder)' undo"],
      environment: ["XDG_STATE_HOME": scratch.file("state")])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try Data(contentsOf: URL(filePath: json)) == Data(#"{"a": 1}"#.utf8))
  }

  @Test func `a browser without changes creates no file`() throws {
    let json = try scratch.file("a.json", #"{"a": 1}"#.utf8)
    let tmux = try Tmux(
      "XDG_STATE_HOME='\(scratch.file("state"))' '\(Shell.larder)' --read-only '\(json)'; "
        + "echo ended with $?")
    #expect(try tmux.wait(for: "integer"))
    try tmux.send("q")
    #expect(try tmux.wait(for: "ended with 0"))
    #expect(!FileManager.default.fileExists(atPath: scratch.file("state")))
  }

  @Test func `a browser in the background stops before it draws`() throws {
    let json = try scratch.file("a.json", #"{"a": 1}"#.utf8)
    let tmux = try Tmux("'\(Shell.larder)' '\(json)' &")
    #expect(try tmux.wait(for: "[1]"))
    #expect(
      try tmux.wait { _ in
        try tmux.send("Enter")
        return try tmux.screen.contains("Stopped")
      } != nil)
    #expect(try !tmux.isOnAlternateScreen)
    try tmux.send("fg", "Enter")
    #expect(try tmux.wait { $0.contains("integer") } != nil)
    try tmux.send("q")
  }
}
