import Foundation
import Testing

/// Text in the user's external editor when the editor or larder ends unexpectedly.
@Suite(.serialized) struct EditorLossTests {
  private let bench: EditorBench

  init() throws { bench = try EditorBench() }

  private func start(
    _ editor: String, before: String = "", _ options: String = ""
  ) throws -> Tmux {
    let tmux = try bench.start(editor, before: before, options)
    #expect(try tmux.wait(for: "1 of 2 entries"))
    return tmux
  }

  @Test(arguments: ["no-such-command-at-all", "exit 126"])
  func `text saved before the editor failed is in larder's editor`(
    last: String
  ) throws {
    let tmux = try start(try bench.script("echo two > \"$1\"\n\(last)"))
    try tmux.send("E")
    #expect(try tmux.wait(forWrapped: "its text is here but not saved yet"))
    try tmux.send("C-s")
    #expect(try tmux.wait(for: "saved alpha"))
    #expect(try bench.value(of: "alpha") == ["two|text"])
    #expect(try bench.names == ["alpha.txt"], "what was written by a failing editor is kept, too")
  }

  @Test func `an edit is not lost if SIGCHLD is ignored`() throws {
    let tmux = try start(
      try bench.script("echo two > \"$1\""), before: "env --ignore-signal=CHLD")
    try tmux.send("E")
    #expect(try tmux.wait(for: "saved alpha"))
    #expect(try bench.value(of: "alpha") == ["two|text"])
  }

  @Test func `an editor's recovery file stays in place`() throws {
    let editor = try bench.script("echo unsaved > \"$(dirname \"$1\")/.alpha.swp\"; kill -9 $$")
    let tmux = try start(editor)
    try tmux.send("E")
    #expect(
      try tmux.wait(
        forWrapped: "was ended by signal 9; nothing was changed; its files are in"))
    #expect(try bench.names == [".alpha.swp", "alpha.txt"])
  }

  @Test func `other files beside a missing file stay in place`() throws {
    let tmux = try start(try bench.script("mv \"$1\" \"$1~\""))
    try tmux.send("E")
    #expect(try tmux.wait(forWrapped: "nothing was changed; the rest is in"))
    #expect(try bench.names == ["alpha.txt~"])
  }

  @Test func `a value too large to read back is not given to an editor`() throws {
    let big = try EditorBench("INSERT INTO kv VALUES ('', randomblob(400000));")
    let tmux = try big.start(try big.script("touch '\(big.scratch.path)/ran'"))
    #expect(try tmux.wait(for: "1 of 3 entries"))
    try tmux.send("E")
    #expect(try tmux.wait(forWrapped: "too large"))
    #expect(try big.leftovers == [])
    #expect(!FileManager.default.fileExists(atPath: big.scratch.path + "/ran"))
    try tmux.send("j")
    #expect(try tmux.wait(for: "2 of 3 entries"), "no editor of larder's own is open either")
  }

  @Test(arguments: [("", true), ("j", false)])
  func `put is suggested only when the file holds the value`(
    key: String, isText: Bool
  ) throws {
    let tmux = try start(try bench.script("printf '\\377' > \"$1\""))
    if !key.isEmpty {
      try tmux.send(key)
      #expect(try tmux.wait(for: "2 of 2 entries"))
    }
    try tmux.send("E")
    #expect(try tmux.wait(forWrapped: "is no longer UTF-8; it is kept in"))
    #expect(try tmux.screen.filter { !$0.isWhitespace }.contains("larderput--file") == isText)
  }

  /// Returns an editor that runs commands, writes its process id to a file, and sleeps.
  private func waiting(_ first: String) throws -> String {
    try bench.script(
      "\(first)\necho $$ > '\(bench.scratch.path)/pid'; echo waiting; exec sleep 1000")
  }

  /// Ends larder while the editor is open, then the editor.
  private func end(_ tmux: Tmux, by signal: Int32) throws {
    try tmux.send("E")
    #expect(try tmux.wait(for: "waiting"))
    let process = try #require(try tmux.process(named: "larder"))
    kill(process, signal)
    #expect(try tmux.wait(for: "ended with \(128 + signal)"))
    let text = try String(contentsOfFile: bench.scratch.path + "/pid", encoding: .utf8)
    let editor = try #require(pid_t(text.dropLast()))
    kill(editor, SIGKILL)
    // A process that has ended has an empty command line, even before it is reaped.
    let line = URL(filePath: "/proc/\(editor)/cmdline")
    #expect(try tmux.wait { _ in (try? Data(contentsOf: line))?.isEmpty ?? true } != nil)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGKILL])
  func `text saved in an editor before larder ended is offered`(
    signal: Int32
  ) throws {
    let first = try start(try waiting("echo two > \"$1\""))
    try end(first, by: signal)
    #expect(try bench.names == ["alpha.txt"])
    let tmux = try start("true")
    #expect(try tmux.wait(forWrapped: "unsaved text for alpha"))
    try tmux.send("C-e")
    #expect(try tmux.wait(for: "Edit alpha (text)"))
    try tmux.send("C-s")
    #expect(try tmux.wait(for: "saved alpha"))
    #expect(try bench.value(of: "alpha") == ["two|text"])
    #expect(try bench.leftovers == [])
  }

  @Test func `other files left by an editor are named in the next run`() throws {
    let first = try start(
      try waiting("echo unsaved > \"$(dirname \"$1\")/.alpha.swp\""))
    try end(first, by: SIGHUP)
    // The message replaces the line with the number of keys.
    let tmux = try bench.start("true")
    #expect(try tmux.wait(forWrapped: "your editor's text for alpha is in"))
    try tmux.send("C-e")
    #expect(try tmux.wait(for: "Edit alpha (text)"))
    try tmux.send("Escape", "Escape", "Escape")
    #expect(try tmux.wait { !$0.contains("Edit alpha (text)") } != nil)
    #expect(try bench.names == [".alpha.swp", "alpha.txt"])
  }

  @Test func `an unchanged file is removed by the next run`() throws {
    let first = try start(try waiting("true"))
    try end(first, by: SIGHUP)
    #expect(try bench.names == ["alpha.txt"])
    let tmux = try start("true")
    #expect(try tmux.wait { _ in try bench.leftovers == [] } != nil)
    try tmux.send("C-e")
    #expect(try tmux.wait(for: "there is no draft"))
  }

  @Test func `without drafts the location of the text is printed at the end`() throws {
    let first = try start(try waiting("echo two > \"$1\""), "--no-journal")
    try end(first, by: SIGTERM)
    #expect(
      try first.wait(forWrapped: "the text in your editor is in \(bench.scratch.path)/larder-"))
    #expect(!FileManager.default.fileExists(atPath: bench.scratch.path + "/state/larder/drafts"))
    #expect(try bench.names == ["alpha.txt"])
  }

  @Test func `an editor that returns immediately is reported and its file stays until the end`()
    throws
  {
    let tmux = try start("true")
    try tmux.send("E")
    #expect(try tmux.wait(forWrapped: "--wait"))
    #expect(try bench.names == ["alpha.txt"])
    let place = ["TMPDIR": bench.scratch.path]
    #expect(
      try Shell.larder("doctor", "--json", environment: place).lines
        .filter { $0.contains("larder-edit-") }.allSatisfy { $0.contains("\"fine\"") })
    try tmux.send("q")
    #expect(try tmux.wait(for: "ended with 0"))
    #expect(try bench.leftovers == [])
  }

  @Test(arguments: ["", "alpha.txt~", ".alpha.txt.swp"])
  func `the file is removed at the end unless a program uses one beside it`(
    other: String
  ) throws {
    let pipe = bench.scratch.path + "/pipe"
    _ = try Shell.run("mkfifo", [pipe])
    let copy = other.isEmpty ? "" : "cp \"$1\" \"$(dirname \"$1\")/\(other)\";"
    let tmux = try start(
      try bench.script(
        "printf two > \"$1\"; \(copy) (read x < '\(pipe)') >/dev/null 2>&1 </dev/null &"))
    try tmux.send("E")
    #expect(try tmux.wait(for: "saved alpha"))
    let names = ["alpha.txt", other].filter { !$0.isEmpty }.sorted()
    #expect(try bench.names == names, "it still has the lock")
    try tmux.send("q")
    #expect(try tmux.wait(for: "ended with 0"))
    #expect(try bench.names == (other.isEmpty ? [] : names))
    #expect(try bench.leftovers.isEmpty == other.isEmpty)
    if !other.isEmpty { #expect(try tmux.screen.contains("larder-edit-")) }
    _ = try Shell.run("timeout", ["20", "sh", "-c", "echo end > '\(pipe)'"])
  }

  @Test func `text written later by a background editor is named at the end`() throws {
    let pipe = bench.scratch.path + "/pipe"
    _ = try Shell.run("mkfifo", [pipe])
    let tmux = try start(try bench.script("(read x < '\(pipe)'; echo $x > \"$1\") &"))
    try tmux.send("E")
    #expect(try tmux.wait(forWrapped: "--wait"))
    _ = try Shell.run("sh", ["-c", "echo late > '\(pipe)'"])
    let file = try #require(try bench.leftovers.first { $0.hasSuffix("alpha.txt") })
    let path = bench.scratch.path + "/" + file
    #expect(
      try tmux.wait { _ in try String(contentsOfFile: path, encoding: .utf8) == "late\n" } != nil)
    try tmux.send("q")
    #expect(try tmux.wait(forWrapped: "your editor's text is kept in \(path)"))
    #expect(try tmux.wait(for: "ended with 0"))
  }

  @Test func `a detached editor that writes later loses nothing`() throws {
    let pipe = bench.scratch.path + "/pipe"
    _ = try Shell.run("mkfifo", [pipe])
    // Imitates an editor that passes the file to another process, which starts late.
    let later = """
      echo waiting
      bash -c 'for file in /proc/$BASHPID/fd/*; do number=${file##*/}
        if [ $number -gt 2 ]; then eval "exec $number>&-"; fi; done
        read x < "$2"; echo $x > "$1"' - "$1" '\(pipe)' < /dev/null > /dev/null 2>&1 &
      sleep 1.2
      """
    let tmux = try start(try bench.script(later))
    try tmux.send("E")
    #expect(try tmux.wait(for: "waiting"))
    #expect(try tmux.wait { $0.contains("of 2 entries") && !$0.contains("waiting") } != nil)
    _ = try Shell.run("timeout", ["20", "sh", "-c", "echo late > '\(pipe)'"])
    let file = try #require(try bench.leftovers.first { $0.hasSuffix("alpha.txt") })
    let path = bench.scratch.path + "/" + file
    #expect(
      try tmux.wait { _ in try String(contentsOfFile: path, encoding: .utf8) == "late\n" } != nil)
    try tmux.send("q")
    #expect(try tmux.wait(forWrapped: "your editor's text is kept in \(path)"))
  }

  @Test func `a draft stays while its editor's file is inaccessible`() throws {
    let first = try start(try waiting("echo two > \"$1\""))
    try end(first, by: SIGHUP)
    let file = try #require(try bench.leftovers.first { $0.hasSuffix("alpha.txt") })
    let folder = URL(filePath: bench.scratch.path + "/" + file).deletingLastPathComponent().path
    // Something else is at the path for a while, like an unmounted or inaccessible folder.
    try FileManager.default.moveItem(atPath: folder, toPath: folder + ".away")
    try "in the way".write(toFile: folder, atomically: true, encoding: .utf8)
    let second = try bench.start("true")
    #expect(try second.wait(forWrapped: "your editor's text for alpha"))
    try second.send("q")
    #expect(try second.wait(for: "ended with 0"))
    try FileManager.default.removeItem(atPath: folder)
    try FileManager.default.moveItem(atPath: folder + ".away", toPath: folder)
    let third = try bench.start("true")
    #expect(try third.wait(forWrapped: "unsaved text for alpha"))
  }
}
