import Foundation
import Testing

/// Commands on the live sources of another process.
@Suite struct LiveCommandTests {
  private let scratch: Scratch
  private let program: LiveProcess
  private var location: String { program.location }

  init() throws {
    scratch = try Scratch()
    program = try LiveProcess()
    try program.start()
  }

  private func larder(_ words: String...) throws -> Outcome {
    // Waits for the other process even on a busy machine.
    try Shell.run(Shell.larder, words, environment: ["LARDER_PATIENCE": "600"])
  }

  @Test func `A live source can be listed, read, written and deleted`() throws {
    let settings = location + "#settings"
    #expect(try larder("ls", settings).lines == ["greeting", "language", "theme"])
    #expect(try larder("ls", settings, "--prefix", "g").lines == ["greeting"])
    #expect(try larder("get", settings, "theme").lines == ["dark"])
    #expect(try larder("put", settings, "theme", "light").code == 0)
    #expect(try larder("get", settings, "theme").lines == ["light"])
    #expect(try larder("put", settings, "zoom", "1.5", "--create").code == 0)
    #expect(try larder("put", settings, "zoom", "2", "--create").code == 4)
    #expect(try larder("mv", settings, "zoom", "scale").code == 0)
    #expect(try larder("rm", settings, "scale").code == 0)
    #expect(try larder("get", settings, "scale").code == 1)
    #expect(try larder("undo", settings).code == 0)
    #expect(try larder("get", settings, "scale").lines == ["1.5"])
  }

  @Test func `Codable values are JSON and have an expiry`() throws {
    let sessions = location + "#sessions"
    let json = try larder("get", sessions, "session:2", "--as", "json").text
    #expect(json.contains(#""user":"grace""#), "\(json)")
    let lines = try larder("ls", sessions, "--json").lines
    #expect(lines.count == 6)
    #expect(lines.allSatisfy { $0.contains(#""expires":""#) && $0.contains("dictionary") })
    let visits = location + "#counters"
    #expect(try larder("get", visits, "visits:grace").lines == ["10"])
    let exported = try larder("export", visits)
    #expect(exported.code == 0)
    #expect(exported.lines.count == 6)
  }

  @Test func `Expiries of a live cache are shown, and entries refreshed or evicted`()
    throws
  {
    let sessions = location + "#sessions"
    #expect(try larder("touch", sessions, "session:1", "--ttl", "2h").code == 0)
    let far = try larder("ls", sessions, "--expiring", "3h", "--sort", "expires").lines
    #expect(far.contains("session:1"), "\(far)")
    #expect(try larder("touch", sessions, "session:2", "session:4", "--never").code == 0)
    let never = try larder("ls", sessions, "--json").lines.filter { !$0.contains("expires") }
    #expect(never.count == 2, "\(never)")
    #expect(try larder("touch", sessions, "--prefix", "session:", "--ttl", "0s", "--yes").code == 0)
    #expect(try larder("ls", sessions, "--expired").lines.count >= 5)
    // The cached value differs from the backing store's.
    #expect(try larder("get", sessions, "session:2").text.contains("t-15838"))
    #expect(try larder("touch", sessions, "session:2", "--refresh").code == 0)
    #expect(try larder("get", sessions, "session:2").text.contains("t-moved"))
    let gone = try larder("rm", sessions, "session:5", "--cache-only")
    #expect(gone.code == 0, "\(gone.errors)")
    #expect(try larder("get", sessions, "session:5").code == 1)
    let rest = try larder("rm", sessions, "--expired", "--cache-only", "--yes")
    #expect(rest.code == 0)
    #expect(rest.errors.contains("the backing store is unchanged"), "\(rest.errors)")
    let refused = try larder("rm", location + "#settings", "theme", "--cache-only")
    #expect(refused.code == 5)
    #expect(try larder("touch", location + "#settings", "theme", "--ttl", "1m").code == 5)
  }

  @Test func `The backing store of a cache is not overwritten silently or lost`() throws {
    let sessions = location + "#sessions"
    let read = try larder("get", sessions, "session:2", "--json").text
    let fingerprint = try #require(
      read.firstMatch(of: /"fingerprint":"([0-9a-f]+)"/).map { String($0.1) })
    let value = #"{"token":"t","user":"u","visits":1}"#
    let refused = try larder("put", sessions, "session:2", value, "--expect", fingerprint)
    #expect(refused.code == 4)
    #expect(refused.errors.contains("session:2 was changed in the backing store"))
    #expect(refused.errors.contains("touch --refresh"))
    for words in [
      ["put", sessions, "session:2", value], ["rm", sessions, "session:2"],
      ["mv", sessions, "session:2", "session:7"],
    ] {
      let done = try Shell.run(Shell.larder, words, environment: ["LARDER_PATIENCE": "600"])
      #expect(done.code == 0, "\(words) \(done.errors)")
      #expect(try larder("undo", sessions).code == 0)
      #expect(try larder("get", sessions, "session:2").text.contains("t-moved"))
      // The restarted process has the older value in its cache again.
      program.kill()
      try program.start()
      #expect(try larder("get", sessions, "session:2").text.contains("t-15838"))
    }
    let untyped = try larder("put", sessions, "session:8", value)
    #expect(untyped.code == 3)
    #expect(untyped.errors.hasSuffix(". --type dictionary takes it as JSON\n"), "\(untyped.errors)")
    // The key exists in the backing store, although it is not cached.
    #expect(try larder("rm", sessions, "session:2", "--cache-only").code == 0)
    #expect(
      try larder("put", sessions, "session:2", value, "--type", "dictionary", "--create").code == 4)
  }

  @Test func `Imported entries keep their expiry, and put sets it`()
    throws
  {
    let sessions = location + "#sessions"
    let value = #"{"token":"t","user":"u","visits":1}"#
    func ends() throws -> [String] {
      try larder("ls", sessions, "--json").lines.map { line in
        line.firstMatch(of: /"expires":"([^"]+)"/).map { String($0.1) } ?? "never"
      }
    }
    // The backing store has a newer value than the one listed.
    let refused = try larder("rm", sessions, "--prefix", "session:", "--yes")
    #expect(refused.code == 4)
    #expect(refused.errors.contains("session:2 was changed in the backing store"))
    #expect(refused.errors.hasSuffix("nothing was deleted\n"), "\(refused.errors)")
    #expect(try larder("touch", sessions, "session:2", "--refresh").code == 0)
    #expect(try larder("touch", sessions, "session:5", "--never").code == 0)
    let before = try ends()
    let exported = scratch.path + "/cache.jsonl"
    let text = try larder("export", sessions).text
    #expect(text.matches(of: /"expires":"never"/).count == 1, "\(text)")
    try text.write(toFile: exported, atomically: true, encoding: .utf8)
    #expect(try larder("rm", sessions, "--prefix", "session:", "--yes").code == 0)
    #expect(try larder("import", sessions, exported).code == 0)
    let after = try ends()
    #expect(after.count == before.count)
    for (one, other) in zip(after, before) where one != other {
      let times = try [one, other].map { try Date($0, strategy: .iso8601) }
      #expect(abs(times[0].timeIntervalSince(times[1])) <= 1)
    }
    // A copy to another cache keeps the expiries, too.
    let other = try LiveProcess()
    try other.start()
    let target = other.location + "#sessions"
    #expect(try larder("put", sessions, "session:5b", value, "--type", "dictionary").code == 0)
    #expect(try larder("touch", sessions, "session:5b", "--never").code == 0)
    let copied = try larder("cp", sessions, target, "--prefix", "session:5b")
    #expect(copied.code == 0, "\(copied.errors)")
    let line = try larder("ls", target, "--prefix", "session:5b", "--json").text
    #expect(line.contains("modified") && !line.contains("expires"), "\(line)")
    #expect(try larder("rm", sessions, "session:5b").code == 0)
    let put = try larder("put", sessions, "session:4", value, "--ttl", "200h", "--json")
    let remaining = put.text.firstMatch(of: /"remaining":(\d+)/).flatMap { Int($0.1) }
    #expect(remaining.map { (600_000...720_000).contains($0) } == true, "\(put.text)")
    #expect(try larder("put", location + "#settings", "theme", "x", "--ttl", "1m").code == 5)
  }

  @Test func `Changes of a cache are logged and can be undone`() throws {
    let sessions = location + "#sessions"
    let all = try larder("ls", sessions).lines
    let old = try larder("get", sessions, "session:2").text
    #expect(try larder("touch", sessions, "session:2", "--refresh").code == 0)
    #expect(try larder("rm", sessions, "--prefix", "session:", "--cache-only", "--yes").code == 0)
    let log = try larder("log", location).lines
    #expect(log.count == 2 && log[0].contains("evict session:1 and "), "\(log)")
    #expect(log.last?.contains("refresh session:2 in ") == true, "\(log)")
    #expect(try larder("log", location, "--json").text.contains(#""action":"evict""#))
    #expect(try larder("undo", sessions).code == 0)
    #expect(try larder("ls", sessions).lines == all)
    #expect(try larder("undo", sessions).code == 0)
    #expect(try larder("get", sessions, "session:2").text == old)
    #expect(try larder("redo", sessions).code == 0)
    #expect(try larder("get", sessions, "session:2").text.contains("t-moved"))
    // The restarted process has a new cache.
    program.kill()
    let gone = try larder("undo", sessions)
    #expect(gone.code == 3 && gone.errors.contains("no process is listening"), "\(gone.errors)")
    try program.start()
    let other = try larder("undo", sessions)
    #expect(other.code == 4, "\(other.errors)")
    #expect(try larder("get", sessions, "session:2").text == old)
  }

  @Test(arguments: [
    (["touch", "--refresh"], "refreshed"), (["rm", "--cache-only"], "evicted"),
  ])
  func `Ctrl-C stops a change of a cache cleanly and records what was done`(
    words: [String], verb: String
  ) throws {
    let sessions = location + "#sessions"
    // A journal that no other test writes to.
    let environment = ["LARDER_PATIENCE": "600", "XDG_STATE_HOME": scratch.path]
    func larder(_ words: String...) throws -> Outcome {
      try Shell.run(Shell.larder, words, environment: environment)
    }
    let lines = (0..<400).map {
      #"{"key":"many:\#($0)","type":"dictionary","value":{"user":"u","token":"t","visits":\#($0)}}"#
    }
    let imported = try Shell.run(
      Shell.larder, ["import", sessions, "--no-journal"],
      input: Array(lines.joined(separator: "\n").utf8), environment: environment)
    #expect(imported.code == 0, "\(imported.errors)")
    let before = try larder("ls", sessions, "--json").lines.count
    let script = """
      import os, signal, sqlite3, subprocess, sys
      journal = 'file:' + os.environ['XDG_STATE_HOME'] + '/larder/journal.db?mode=ro'
      lines = open(os.environ['XDG_STATE_HOME'] + '/lines', 'w')
      larder = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=lines,
          stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
      def begun():
          try: return sqlite3.connect(journal, uri=True).execute('SELECT 1 FROM steps').fetchone()
          except sqlite3.Error: return None
      while larder.poll() is None and not begun(): pass
      larder.send_signal(signal.SIGINT)
      print(larder.wait(), larder.stderr.read().decode(), end='')
      """
    let text = try Shell.run(
      "python3",
      [
        "-c", script, Shell.larder, words[0], sessions, "--prefix", "many:", "--yes", words[1],
        "--json",
      ],
      environment: environment
    ).text
    let outcome = try Regex(
      "130 [^;]*interrupted; (?:nothing was|([0-9]+) of them were) \(verb)\"}\n")
    let match = try #require(text.wholeMatch(of: outcome), "\(text)")
    let count = match[1].substring.flatMap { Int($0) } ?? 0
    // The changes made are printed even after an interruption.
    let printed = try String(contentsOfFile: scratch.path + "/lines", encoding: .utf8)
    #expect(printed.matches(of: /"key":"many:/).count == count)
    let log = try larder("log", location, "--json").lines
    #expect(log.count == (count == 0 ? 0 : 1), "\(text) \(log)")
    if count > 0 {
      #expect(log[0].contains("\"count\":\(count),"), "\(log)")
      #expect(try larder("undo", sessions).code == 0)
    }
    #expect(try larder("ls", sessions, "--json").lines.count == before)
  }

  @Test func `A change of a read-only source is refused`() throws {
    let refused = try larder("put", location + "#counters", "visits:ada", "1")
    #expect(refused.code == 5)
    #expect(refused.errors.contains("the program does not allow writing"), "\(refused.errors)")
    let readOnly = try larder("put", location + "#settings", "theme", "x", "--read-only")
    #expect(readOnly.code == 5)
  }

  @Test func `info describes the process and its sources`() throws {
    let info = try larder("info", location).text
    #expect(info.contains("/larder\nprocess         \(program.number)\n"), "\(info)")
    #expect(info.contains("sessions  (timed cache of Session; key: text)"))
    #expect(
      info.contains("counters  (source of Int, read-only: the program does not allow writing"))
    let store = try larder("info", location + "#sessions").text
    #expect(store.contains("expiry"))
  }

  @Test func `The bare path of a socket is refused with advice`() throws {
    let plain = String(location.dropFirst("unix:".count))
    for command in ["info", "ls"] {
      let outcome = try larder(command, plain)
      #expect(outcome.code == 3)
      #expect(outcome.errors.contains("open unix:\(plain)"), "\(outcome.errors)")
    }
  }

  @Test func `An unanswered connection is reported and ends with 3`() throws {
    func message(_ place: String) throws -> String {
      let outcome = try larder("ls", "unix:" + place)
      #expect(outcome.code == 3, "\(place)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
      return outcome.errors
    }
    #expect(try message(scratch.file("none.sock")).contains("no process is listening"))
    let file = try scratch.file("file.sock", "x".utf8)
    #expect(try message(file).contains("is not a socket"))
    #expect(try message("/tmp/" + String(repeating: "x", count: 200)).contains("too long"))
    #expect(try message("").contains("needs the path of a socket"))
    #expect(
      try larder("ls", location + "#nope").errors.contains("no source “nope”"))
    #expect(try larder("ls", location).errors.contains("add #NAME for one of"))
    program.kill()
    #expect(try message(program.socket).contains("no process is listening"))
  }

  @Test func `larder does not wait for a stopped process`() throws {
    program.signal(SIGSTOP)
    let outcome = try Shell.larder("ls", location + "#settings")
    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("no answer came in time"), "\(outcome.errors)")
  }
}
