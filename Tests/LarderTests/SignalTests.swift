import Foundation
import Testing

/// Long commands ended by Ctrl-C, or by a reader that closes the pipe.
@Suite struct SignalTests {
  private let scratch: Scratch
  private let database: String

  init() throws {
    scratch = try Scratch()
    // More output than a pipe holds, so that larder blocks until it is read.
    database = try scratch.database(
      """
      CREATE TABLE kv (k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID;
      WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < 19999)
      INSERT INTO kv SELECT printf('key:%05d', x), 'a value of number ' || x FROM n;
      """)
  }

  /// Starts larder with an unread pipe, signals it once it handles signals, and returns its exit
  /// code and messages.
  private func interrupt(
    _ arguments: [String], signal: String = "SIGINT", isLocked: Bool = false
  ) throws -> String {
    let script = """
      import signal, sqlite3, subprocess, sys
      database, isLocked, name = sys.argv[1], sys.argv[2] == 'true', sys.argv[3]
      number = getattr(signal, name)
      lock = sqlite3.connect(database, isolation_level=None)
      if isLocked: lock.execute('BEGIN IMMEDIATE')
      larder = subprocess.Popen(sys.argv[4:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
          stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
      def listens():
          with open('/proc/%d/status' % larder.pid) as status:
              caught = [line.split()[1] for line in status if line.startswith('SigCgt')]
          return int(caught[0], 16) & 1 << (number - 1)
      while larder.poll() is None and not listens(): pass
      larder.send_signal(number)
      print(larder.wait(timeout=60), larder.stderr.read().decode(), end='')
      """
    return try Shell.run(
      "python3",
      ["-c", script, database, "\(isLocked)", signal, Shell.larder] + arguments,
      environment: ["LARDER_PATIENCE": "600"]
    ).text
  }

  @Test(arguments: ["export", "ls"])
  func `Ctrl-C ends a blocked list and reports the number of entries`(command: String) throws {
    let verb = command == "ls" ? "listed" : "exported"
    let text = try interrupt([command, database])
    #expect(
      text.wholeMatch(of: try Regex("130 larder: interrupted; [0-9,]+ entries were \(verb)\n"))
        != nil, "\(text)")
  }

  @Test func `An interrupted export leaves complete lines, as many as reported`() throws {
    let large = try scratch.database(
      "large.db",
      """
      CREATE TABLE kv (k INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < 999999)
      INSERT INTO kv SELECT x, 'a value of number ' || x FROM n;
      """)
    let script = """
      import os, signal, subprocess, sys
      for _ in range(10):
          with open(sys.argv[1], 'wb') as file:
              larder = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=file,
                  stderr=subprocess.PIPE,
                  preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
              while larder.poll() is None and os.fstat(file.fileno()).st_size < 1_000_000: pass
              larder.send_signal(signal.SIGINT)
              said = larder.communicate(timeout=60)[1].decode()
          with open(sys.argv[1], 'rb') as file: text = file.read()
          print(said == 'larder: interrupted; {:,} entries were exported\\n'.format(text.count(b'\\n'))
              and text.endswith(b'\\n') or (said, text[-80:]))
      """
    let text = try Shell.run(
      "python3", ["-c", script, scratch.file("out.jsonl"), Shell.larder, "export", large]
    ).text
    #expect(text == String(repeating: "True\n", count: 10), "\(text)")
  }

  @Test func `SIGTERM ends a list like Ctrl-C`() throws {
    let text = try interrupt(["export", database], signal: "SIGTERM")
    #expect(text.hasPrefix("143 larder: interrupted; "), "\(text)")
  }

  @Test func `A signal sent twice in succession counts once, as timeout sends it`() throws {
    let script = """
      import os, signal, sqlite3, subprocess, sys
      lock = sqlite3.connect(sys.argv[1], isolation_level=None)
      lock.execute('BEGIN IMMEDIATE')
      def has(larder, field):
          with open('/proc/%d/status' % larder.pid) as status:
              signals = [line.split()[1] for line in status if line.startswith(field)]
          return int(signals[0], 16) & 1 << (signal.SIGTERM - 1)
      def end():
          larder = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
              stderr=subprocess.PIPE,
              preexec_fn=lambda: signal.signal(signal.SIGTERM, signal.SIG_DFL))
          while larder.poll() is None and not has(larder, 'SigCgt'): pass
          os.kill(larder.pid, signal.SIGTERM)
          # One that comes before the first is taken is not another one for the system either.
          while has(larder, 'ShdPnd'): pass
          os.kill(larder.pid, signal.SIGTERM)
          return larder.wait(timeout=60), larder.stderr.read().decode()
      # On a busy machine one of them may come so late that it is another.
      for _ in range(20):
          code, text = end()
          if code == 143: break
      print(code, text, end='')
      """
    let text = try Shell.run(
      "python3",
      ["-c", script, database, Shell.larder, "rm", database, "key:00007"],
      environment: ["LARDER_PATIENCE": "600"]
    ).text
    #expect(text == "143 larder: interrupted; nothing was deleted\n")
  }

  @Test(arguments: [
    (["rm", "--prefix", "key", "--yes"], "deleted"),
    (["rm", "--prefix", "key", "--yes", "--json"], "deleted"),
    (["rm", "key:00007"], "deleted"), (["rm", "key:00007", "key:00009"], "deleted"),
    (["mv", "key", "other", "--prefix", "--yes"], "renamed"),
  ])
  func `Ctrl-C stops a change waiting for another process`(
    words: [String], verb: String
  ) throws {
    for options in [[], ["--no-journal"]] {
      let text = try interrupt(
        [words[0], database] + words.dropFirst() + options, isLocked: true)
      #expect(text == "130 larder: interrupted; nothing was \(verb)\n")
    }
    #expect(try scratch.query(database, "SELECT count(*) FROM kv WHERE k LIKE 'key%'") == ["20000"])
  }

  @Test func `Ctrl-C during the input of a value writes nothing`() throws {
    let script = """
      import signal, subprocess, sys
      larder = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
      def listens():
          with open('/proc/%d/status' % larder.pid) as status:
              caught = [line.split()[1] for line in status if line.startswith('SigCgt')]
          return int(caught[0], 16) & 1 << (signal.SIGINT - 1)
      larder.stdin.write(b'half a value')
      larder.stdin.flush()
      while larder.poll() is None and not listens(): pass
      larder.send_signal(signal.SIGINT)
      print(larder.wait(timeout=60), larder.stderr.read().decode(), end='')
      """
    let outcome = try Shell.run(
      "python3", ["-c", script, Shell.larder, "put", database, "new", "--stdin"])
    #expect(outcome.text == "130 larder: interrupted; nothing was written\n", "\(outcome.errors)")
    #expect(try scratch.query(database, "SELECT count(*) FROM kv") == ["20000"])
  }

  @Test(arguments: ["SIGINT", "SIGTERM"])
  func `Ctrl-C ends an import that waits for a pipe to be opened`(signal: String) throws {
    #expect(mkfifo(scratch.file("pipe"), 0o600) == 0)
    let text = try interrupt(["import", database, scratch.file("pipe")], signal: signal)
    #expect(
      text.hasSuffix("interrupted; nothing was written\n"),
      "\(text)")
  }

  @Test func `An import waits for a pipe to be opened and reads all of it`() throws {
    #expect(mkfifo(scratch.file("pipe"), 0o600) == 0)
    let line = #"{"key":"a%d","value":"x"}"#
    let outcome = try Shell.run(
      "bash",
      [
        "-c",
        """
        '\(Shell.larder)' import '\(database)' '\(scratch.file("pipe"))' --no-journal &
        # It has the pipe open once it waits.
        for turn in {1..500}; do ls -l /proc/$!/fd | grep -q pipe$ && break; done
        for part in 1 2; do printf '\(line)\\n' $part; done > '\(scratch.file("pipe"))'
        wait $!
        """,
      ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      try scratch.query(database, "SELECT k FROM kv WHERE k LIKE 'a%' ORDER BY k") == ["a1", "a2"])
  }

  @Test(arguments: ["export", "ls", "ls --json", "ls --in-values --match value"])
  func `A reader that closes the pipe ends a list quietly`(words: String) throws {
    let outcome = try Shell.run(
      "bash",
      [
        "-c",
        "'\(Shell.larder)' \(words) '\(database)' | head -n 1 | wc -l; echo ${PIPESTATUS[0]}",
      ])
    #expect(outcome.lines == ["1", "0"])
    #expect(outcome.errors.isEmpty)
  }
}
