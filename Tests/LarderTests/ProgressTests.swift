import Foundation
import Testing

/// Progress of a slow command on a terminal: here one that waits for its reader.
@Suite struct ProgressTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID;
      WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < 19999)
      INSERT INTO kv SELECT printf('key:%05d', x), 'a value of number ' || x FROM n;
      """)
    for name in ["loud", "quiet", "file"] {
      #expect(mkfifo(scratch.file(name), 0o600) == 0)
    }
  }

  @Test func `Progress is shown after a while and erased at the end, except with -q`()
    throws
  {
    func start(_ name: String, _ options: String) throws -> Tmux {
      try Tmux(
        "'\(Shell.larder)' export '\(database)' \(options) > '\(scratch.file(name))'; "
          + "echo ended with $?", columns: 100)
    }
    // A shell opens a fifo only when a reader has opened it, too.
    func hold(_ name: String) -> Int32 { open(scratch.file(name), O_RDWR | O_CLOEXEC) }
    _ = try scratch.file("errors", [])
    let quiet = try start("quiet", "-q")
    let held = hold("quiet")
    let piped = try start("file", "2> '\(scratch.file("errors"))'")
    let alsoHeld = hold("file")
    let loud = try start("loud", "")
    let heldToo = hold("loud")
    let screen = try #require(try loud.wait { $0.contains("exported ") })
    #expect(
      screen.firstMatch(
        of: try Regex("exported [0-9,]+ entries( of about 20,000)?, [0-9,]+/s")) != nil,
      "\(screen)")
    // These commands were started before the first.
    #expect(try !quiet.screen.contains("exported "))
    #expect(try Data(contentsOf: URL(filePath: scratch.file("errors"))).isEmpty)
    for (name, tmux, descriptor) in [
      ("loud", loud, heldToo), ("quiet", quiet, held), ("file", piped, alsoHeld),
    ] {
      let reader = try Tmux("wc -l < '\(scratch.file(name))'")
      #expect(try tmux.wait(for: "ended with 0"))
      close(descriptor)
      #expect(try reader.wait(for: "20000"))
      #expect(try !tmux.screen.contains("exported "))
    }
    #expect(try Data(contentsOf: URL(filePath: scratch.file("errors"))).isEmpty)
  }

  @Test func `A copy that waits for another program shows its progress`() throws {
    let target = try scratch.database(
      "target.db", "CREATE TABLE kv (k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID;")
    let other = try Tmux(
      "sqlite3 -cmd 'BEGIN IMMEDIATE' -cmd \"SELECT 'he' || 'ld'\" '\(target)'")
    #expect(try other.wait(for: "held"))
    func start(_ options: String) throws -> Tmux {
      try Tmux(
        "LARDER_PATIENCE=600 XDG_STATE_HOME='\(scratch.path)' '\(Shell.larder)' cp '\(database)' "
          + "'\(target)' --prefix key:0000 \(options); echo ended with $?", columns: 200)
    }
    let quiet = try start("--replace -q")
    let loud = try start("--replace")
    #expect(try loud.wait(for: "copied 0 entries of about 10"))
    // This command was started before the other.
    #expect(try !quiet.screen.contains("copied "))
    try other.send("C-d")
    for tmux in [loud, quiet] {
      #expect(try tmux.wait(for: "ended with "))
      #expect(try !tmux.screen.contains("of about"))
    }
    #expect(try scratch.query(target, "SELECT count(*) FROM kv") == ["10"])
  }

  @Test func `Comparisons show their progress, too`() throws {
    let line = #"{"key":"key:00000","type":"text","value":"a value of number 0"}"# + "\n"
    let tmux = try Tmux(
      "'\(Shell.larder)' diff - '\(database)' --prefix key:00000 --no-pager "
        + "< '\(scratch.file("loud"))'; echo ended with $?", columns: 100)
    let held = open(scratch.file("loud"), O_RDWR | O_CLOEXEC)
    #expect(try tmux.wait(for: "read 0 entries"))
    _ = Array(line.utf8).withUnsafeBytes { write(held, $0.baseAddress, $0.count) }
    close(held)
    #expect(try tmux.wait(for: "ended with 0"))
    #expect(try !tmux.screen.contains("read "))
  }
}
