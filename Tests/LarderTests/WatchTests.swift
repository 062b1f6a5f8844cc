import Foundation
import Testing

@Suite struct WatchTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  /// Starts `watch`, changes the store with a shell command, reads some lines, closes the pipe,
  /// makes a last change, and returns the exit code of `watch`.
  private func watch(
    _ words: String, then change: String, lines: Int, last: String
  ) throws -> Outcome {
    let script = """
      mkfifo out err
      timeout 60 '\(Shell.larder)' watch \(words) >out 2>err &
      exec 3<out 4<err
      read -r -t 50 line <&4; echo "$line" >&2
      \(change)
      for (( i = 0; i < \(lines); i++ )); do read -r -t 50 line <&3; printf '%s\\n' "$line"; done
      exec 3<&-
      \(last)
      wait %1
      code=$?
      cat <&4 >&2
      exit $code
      """
    return try Shell.run("bash", ["-c", script], folder: scratch.path)
  }

  @Test(arguments: [("SIGINT", 130), ("SIGTERM", 143)])
  func `a signal ends watch during its first read`(
    signal: String, code: Int32
  ) throws {
    let database = try scratch.database(
      """
      CREATE VIEW slow AS WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x
        WHERE n < 1000000000000) SELECT max(n) AS m FROM x;
      """)
    let script = """
      import signal, subprocess, sys
      number = getattr(signal, sys.argv[1])
      larder = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL,
          preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
      def listens():
          with open('/proc/%d/status' % larder.pid) as status:
              caught = [line.split()[1] for line in status if line.startswith('SigCgt')]
          return int(caught[0], 16) & 1 << (number - 1)
      while larder.poll() is None and not listens(): pass
      larder.send_signal(number)
      try: sys.exit(larder.wait(timeout=60))
      finally: larder.kill()
      """
    let outcome = try Shell.run(
      "python3", ["-c", script, signal, Shell.larder, "watch", database + "#slow"])
    #expect(outcome.code == code, "\(outcome.errors)")
  }

  @Test func `watch prints a line for each change and ends with its reader`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v);
      INSERT INTO kv VALUES ('a', 1), ('b', char(27) || '[2J'), ('c', 'same');
      """)
    let outcome = try watch(
      database,
      then: "sqlite3 test.db \"UPDATE kv SET v = 2 WHERE k = 'a'; DELETE FROM kv WHERE k = 'b'; "
        + "INSERT INTO kv VALUES ('n' || char(10), 'x')\"",
      lines: 3, last: "sqlite3 test.db \"DELETE FROM kv\"")
    #expect(
      outcome.lines == [
        "changed a 1 → 2", #"added "n\n" "x""#, #"removed b "\u001b[2J""#,
      ])
    #expect(outcome.code == 0)
    #expect(outcome.errors == "larder: watching 3 entries of \(database)#kv; Ctrl-C stops\n")
  }

  @Test func `watch prints JSON Lines with the old and the new value`() throws {
    let file = try scratch.file("a.json", Array(#"{"p.a": 1, "p.b": [true], "q": 2}"#.utf8))
    let outcome = try watch(
      "\(file) --prefix p. --json",
      then: #"echo '{"p.a": "one", "p.c": null, "q": 3}' >new; mv new a.json"#,
      lines: 3, last: #"echo '{}' >a.json"#)
    #expect(
      outcome.lines == [
        #"{"change":"changed","key":"p.a","type":"text","value":"one","old":1}"#,
        #"{"change":"added","key":"p.c","type":"null","value":null}"#,
        #"{"change":"removed","key":"p.b","type":"array","old":[true]}"#,
      ])
    #expect(outcome.code == 0)
  }

  @Test(
    arguments: [
      ("", #"expired a "one""#),
      (" --json", #"{"change":"expired","key":"a","type":"text","value":"one"}"#),
    ])
  func `watch says which file has expired`(_ option: String, line: String) throws {
    try FileManager.default.createDirectory(
      atPath: scratch.file("cache"), withIntermediateDirectories: true)
    let file = try scratch.file("cache/a", Array("one".utf8))
    _ = try scratch.file("cache/b", Array("two".utf8))
    let outcome = try watch(
      "cache --ttl 1h" + option, then: "touch -d '2 hours ago' cache/a", lines: 1,
      last: "rm cache/b")
    #expect(outcome.lines == [line])
    #expect(FileManager.default.fileExists(atPath: file))
  }

  @Test(arguments: [("", 2), ("--expires-column expires", 3)])
  func `watch reports no expiry by a doubtful column`(option: String, lines: Int) throws {
    let cards = try scratch.database(
      """
      CREATE TABLE creditcards (id INTEGER PRIMARY KEY, data TEXT, expires INTEGER);
      INSERT INTO creditcards VALUES (1, 'x', unixepoch() + 100000123);
      """)
    let outcome = try watch(
      "\(cards) \(option)",
      then: "sqlite3 test.db \"UPDATE creditcards SET expires = unixepoch() - 1; "
        + "INSERT INTO creditcards VALUES (2, 'y', unixepoch() + 100000123)\"",
      lines: lines, last: "sqlite3 test.db \"DELETE FROM creditcards\"")
    #expect(outcome.errors.contains("--expires-column expires") == option.isEmpty)
    #expect(outcome.lines.count == lines)
    #expect(outcome.lines.contains { $0.hasPrefix("expired 1") } == !option.isEmpty)
  }

  @Test(arguments: ["TERM", "INT"])
  func `watch reports changes made before the signal that ends it`(signal: String) throws {
    let file = try scratch.file("a.json", Array(#"{"a": 1}"#.utf8))
    // Background processes of a shell ignore Ctrl-C by default.
    let script = """
      mkfifo err
      python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL)
      os.execv(sys.argv[1], sys.argv[1:])' '\(Shell.larder)' watch \(file) >out 2>err &
      read -r line <err
      echo '{"a": 2}' >new; mv new a.json; kill -\(signal) $!
      wait $!
      echo "$?" >&2
      cat out
      """
    let outcome = try Shell.run("timeout", ["60", "bash", "-c", script], folder: scratch.path)
    #expect(outcome.lines == ["changed a 1 → 2"])
    #expect(outcome.errors == (signal == "TERM" ? "143\n" : "130\n"))
  }

  @Test func `watch ends with a message when the store is gone`() throws {
    let file = try scratch.file("a.json", Array("{}".utf8))
    let outcome = try watch(file, then: "rm a.json", lines: 0, last: "true")
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("larder: \(file) no longer exists\n"))
  }

  @Test func `watch refuses stores that cannot be watched`() throws {
    let outcome = try Shell.larder("watch", "memory:")
    #expect(outcome.code == 5)
    #expect(outcome.errors.contains("cannot be watched"))
  }
}
