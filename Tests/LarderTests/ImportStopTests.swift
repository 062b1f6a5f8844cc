import Foundation
import Testing

/// Imports stopped by something other than an invalid line, and the amount they report as written.
@Suite struct ImportStopTests {
  private let scratch: Scratch
  private let database: String
  private let folder: String

  init() throws {
    scratch = try Scratch()
    database = try scratch.database(
      "CREATE TABLE kv (k TEXT PRIMARY KEY, v); INSERT INTO kv VALUES ('k', '1');")
    folder = scratch.file("files")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func lines(_ entries: String...) -> String {
    entries.map { entry in
      let (key, value) = (entry.prefix(1), entry.dropFirst(2))
      return "{\"key\":\"\(key)\",\"value\":\"\(value)\"}\n"
    }.joined()
  }

  @Test(arguments: ["a=1", "a=1,b=2"])
  func `A journal that cannot be written is not blamed on a line`(entries: String) throws {
    let state = try scratch.file("state", [])
    let input = entries.split(separator: ",").map { lines(String($0)) }.joined()
    for location in [database, folder] {
      let outcome = try Shell.larder(
        "import", location, input: input, environment: ["XDG_STATE_HOME": state])
      #expect(outcome.code == 3)
      #expect(outcome.errors.hasPrefix("larder: the journal \(state)"), "\(outcome.errors)")
      #expect(outcome.errors.contains("nothing was written"))
    }
  }

  @Test func `A lock held by another process is not blamed on a line`() throws {
    let file = try scratch.file("in.jsonl", lines("a=1").utf8)
    // The sqlite3 shell holds the lock until its input ends, after the inner larder has ended.
    let script = """
      .open '\(database)'
      BEGIN IMMEDIATE;
      .shell '\(Shell.larder)' import '\(database)' '\(file)' 2> '\(scratch.file("errors"))'; echo $?
      """
    let outcome = try Shell.run("sqlite3", [], input: Array(script.utf8))
    #expect(outcome.lines.last == "3")
    let errors = try String(contentsOfFile: scratch.file("errors"), encoding: .utf8)
    #expect(errors.hasPrefix("larder: \(database) is locked"), "\(errors)")
    #expect(errors.contains("nothing was written"))
  }

  @Test func `Ctrl-C after the last line is handled, and nothing is written`() throws {
    // When the database is open for writing, all lines are read and larder waits for the lock. The
    // signal has been delivered once larder no longer handles it.
    let script = """
      import os, signal, sqlite3, subprocess, sys
      program, database, file = sys.argv[1:]
      lock = sqlite3.connect(database, isolation_level=None)
      lock.execute('BEGIN IMMEDIATE')
      larder = subprocess.Popen([program, 'import', database, file], stderr=subprocess.PIPE,
          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
      def writes():
          folder = '/proc/%d/' % larder.pid
          for number in os.listdir(folder + 'fd'):
              try:
                  if os.path.samefile(folder + 'fd/' + number, database):
                      with open(folder + 'fdinfo/' + number) as info:
                          if int(info.read().split('flags:')[1].split()[0], 8) & os.O_RDWR: return True
              except OSError: pass
          return False
      def listens():
          with open('/proc/%d/status' % larder.pid) as status:
              caught = [line.split()[1] for line in status if line.startswith('SigCgt')]
          return int(caught[0], 16) & 1 << (signal.SIGINT - 1)
      while larder.poll() is None and not writes(): pass
      larder.send_signal(signal.SIGINT)
      while larder.poll() is None and listens(): pass
      lock.execute('ROLLBACK')
      print(larder.communicate(timeout=60)[1].decode(), larder.returncode)
      """
    let file = try scratch.file("in.jsonl", lines("a=1", "b=2").utf8)
    let outcome = try Shell.run(
      "python3",
      ["-c", script, Shell.larder, database, file],
      environment: ["XDG_STATE_HOME": scratch.file("state")])
    #expect(
      outcome.text
        == "larder: interrupted; nothing was written\n 130\n",
      "\(outcome.errors)")
    #expect(try scratch.query(database, "SELECT * FROM kv") == ["k|1"])
  }

  @Test func `Only entries written are reported as imported`() throws {
    _ = try scratch.file("files/a", "1".utf8)
    _ = try scratch.file("files/b", "1".utf8)
    let none = try Shell.larder(
      "import", folder, "--no-journal", input: lines("a=1", "b=1") + "nonsense\n")
    #expect(none.code == 2)
    #expect(none.errors.contains("line 3 of standard input is not an entry"))
    #expect(none.errors.contains("; nothing was written"), "\(none.errors)")
    let some = try Shell.larder(
      "import", folder, "--no-journal", input: lines("a=1", "b=1", "c=1") + "nonsense\n")
    #expect(
      some.errors.contains(
        "1 of the 3 entries before it was imported; the others were already there"),
      "\(some.errors)")
  }

  @Test func `Entries written before a failure are undone as the message says`() throws {
    let state = ["XDG_STATE_HOME": scratch.file("state")]
    _ = try scratch.file("files/b", "1".utf8)
    let input = lines("a=1") + "{\"key\":\"b/c\",\"value\":\"1\"}\n"
    let outcome = try Shell.larder("import", folder, input: input, environment: state)
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("larder undo \(folder)"), "\(outcome.errors)")
    #expect(try Shell.larder("ls", folder).lines == ["a", "b"])
    #expect(try Shell.larder("undo", folder, environment: state).code == 0)
    #expect(try Shell.larder("ls", folder).lines == ["b"])
  }

  @Test(arguments: [
    ("{\"key\":\"b/c\",\"value\":\"1\"}\n{\"key\":\"b\",\"value\":\"1\"}\n", "line 2 "),
    ("{\"key\":\"b\",\"value\":\"1\"}\n{\"key\":\"b/c\",\"value\":\"1\"}\n", "line 3 "),
    ("{\"key\":\"b\",\"type\":\"integer\",\"value\":1}\n", "line 2 "),
  ])
  func `No file is written if one would be refused`(rest: String, line: String) throws {
    let outcome = try Shell.larder(
      "import", folder, input: lines("a=1") + rest,
      environment: ["XDG_STATE_HOME": scratch.file("state")])
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains(line), "\(outcome.errors)")
    #expect(try Shell.larder("ls", folder).lines == [])
  }

  @Test(arguments: [[], ["--replace"]])
  func `A duplicate key is detected even if its first line changes nothing`(
    options: [String]
  ) throws {
    let outcome = try Shell.run(
      Shell.larder, ["import", database] + options, input: Array(lines("k=1", "k=2").utf8))
    #expect(outcome.code == 2)
    #expect(
      outcome.errors.contains("line 2 of standard input: the key k occurs a second time here"))
    #expect(try scratch.query(database, "SELECT * FROM kv") == ["k|1"])
  }

  @Test(arguments: [[], ["--replace"]], ["n=1", "n=2"])
  func `In a stream, too, no line replaces another`(
    options: [String], second: String
  ) throws {
    let outcome = try Shell.run(
      Shell.larder, ["import", database, "--no-journal"] + options,
      input: Array(lines("n=1", second).utf8))
    #expect(outcome.code == 2)
    #expect(
      outcome.errors.contains(
        "line 2 of standard input: the key n occurs a second time here, after line 1; nothing was written"
      ),
      "\(outcome.errors)")
    #expect(try scratch.query(database, "SELECT * FROM kv") == ["k|1"])
  }
}
