import Foundation
import Testing

/// Copying entries into a folder that cannot hold them all.
@Suite struct TransferTests {
  private let scratch: Scratch
  private let database: String
  private let folder: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE t (key TEXT PRIMARY KEY, value);
      INSERT INTO t VALUES ('a', 'one'), ('b', zeroblob(100000)), ('c', 'three');
      """)
    folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private var left: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  private func screen(_ command: String) -> [String] {
    [
      Shell.larder, "screen", database, folder, "--no-journal", "--size", "200x14", "--keys",
      "A:\(command) \(folder)<Enter>",
    ]
  }

  @Test(arguments: ["copy-to", "move-to"])
  func `A file too large for the disk is reported, and the copy rolled back`(
    command: String
  ) throws {
    // Limits files to 16 KiB; without the trap, SIGXFSZ would end the program.
    let script = "trap '' XFSZ; ulimit -f 32; exec \"$@\""
    let outcome = try Shell.run("sh", ["-c", script, "sh"] + screen(command))
    #expect(outcome.text.contains("would become too large for its disk; one file was written"))
    #expect(outcome.text.contains("rolled back"), "\(outcome.text)")
    #expect(try left == [])
    #expect(try scratch.query(database, "SELECT key FROM t") == ["a", "b", "c"])
  }

  @Test(arguments: ["copy-to", "move-to"])
  func `Nothing is copied to a read-only folder`(command: String) throws {
    // File permissions do not restrict the superuser.
    let start =
      geteuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["env"]
    if geteuid() == 0 {
      for path in [database, scratch.path] { chown(path, 65534, 65534) }
    }
    chmod(folder, 0o555)
    defer { chmod(folder, 0o755) }
    let outcome = try Shell.run(start[0], Array(start.dropFirst()) + screen(command))
    #expect(outcome.text.contains("its permissions do not allow writing; nothing was"))
    #expect(try left == [])
    #expect(try scratch.query(database, "SELECT key FROM t") == ["a", "b", "c"])
  }
}
