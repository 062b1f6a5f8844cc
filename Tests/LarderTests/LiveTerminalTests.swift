import Foundation
import Testing

/// The browser on a separate live process, which ends and comes back.
@Suite(.serialized) struct LiveTerminalTests {
  private let program: LiveProcess

  init() throws {
    program = try LiveProcess()
    try program.start()
  }

  private func start(_ more: String = "", rows: Int = 24) throws -> Tmux {
    try Tmux(
      "LARDER_PATIENCE=600 '\(Shell.larder)' '\(program.location)#settings' --no-journal \(more); "
        + "echo ended with $?", columns: 140, rows: rows)
  }

  @Test func `A live source is browsed and edited`() throws {
    let tmux = try start()
    #expect(try tmux.wait(for: "1 of 3 entries"))
    #expect(try tmux.wait(for: "hello"))
    try tmux.send("e")
    try tmux.send("-l", "!")
    try tmux.send("Enter")
    #expect(try tmux.wait(for: "saved greeting"))
    #expect(
      try Shell.larder(
        "get", program.location + "#settings", "greeting", environment: ["LARDER_PATIENCE": "600"]
      ).lines == ["hello!"])
    try tmux.send("q")
    #expect(try tmux.wait(for: "ended with 0"))
  }

  @Test func `The browser survives the process, keeps typed text and reconnects`() throws {
    let tmux = try start()
    #expect(try tmux.wait(for: "hello"))
    try tmux.send("e")
    try tmux.send("-l", " typed")
    #expect(try tmux.wait(for: "hello typed"))
    program.kill()
    #expect(try tmux.wait(for: "has ended"))
    #expect(try tmux.wait { $0.contains("hello typed") && $0.contains("language") } != nil)
    try program.start()
    #expect(try tmux.wait(for: "is available again"))
    #expect(try tmux.screen.contains("hello typed"))
    try tmux.send("Enter")
    #expect(try tmux.wait(for: "saved greeting"))
    #expect(
      try Shell.larder(
        "get", program.location + "#settings", "greeting", environment: ["LARDER_PATIENCE": "600"]
      ).lines
        == ["hello typed"])
  }

  @Test func `The keys of an ended process stay on screen, and q quits`() throws {
    let tmux = try start()
    #expect(try tmux.wait(for: "hello"))
    program.kill()
    #expect(try tmux.wait(for: "has ended"))
    try tmux.send("F5")
    #expect(
      try tmux.wait { screen in
        screen.contains("away") && screen.contains("no process is listening")
          && ["greeting", "language", "theme"].allSatisfy(screen.contains)
      } != nil)
    try tmux.send("q")
    #expect(try tmux.wait(for: "ended with 0"))
  }

  @Test func `Entries of a live cache are expired, refreshed and explained`() throws {
    let tmux = try Tmux(
      "LARDER_PATIENCE=600 '\(Shell.larder)' '\(program.location)#sessions' --no-journal; "
        + "echo ended with $?", columns: 160, rows: 24)
    #expect(try tmux.wait(for: "of 6 entries"))
    #expect(try tmux.wait(for: "LEFT"))
    try tmux.send("j")
    #expect(try tmux.wait(for: "t-15838"))
    try tmux.send("i")
    #expect(try tmux.wait(for: "holds a different value"))
    try tmux.send("v")
    #expect(
      try tmux.wait { $0.contains("t-15838") && $0.contains("t-moved") && $0.contains("fetched") }
        != nil)
    try tmux.send("Escape")
    #expect(try tmux.wait { !$0.contains("t-moved") } != nil)
    try tmux.send("x")
    #expect(try tmux.wait(for: "never"))
    try tmux.send("-l", "never")
    try tmux.send("Enter")
    #expect(try tmux.wait(for: "session:2: never expires"))
    try tmux.send("R")
    #expect(try tmux.wait(for: "t-moved"))
    try tmux.send("P")
    #expect(try tmux.wait { $0.contains("evicted") && $0.contains("of 5 entries") } != nil)
    program.kill()
    #expect(try tmux.wait(for: "has ended"))
    try program.start()
    #expect(
      try tmux.wait { $0.contains("is available again") && $0.contains("of 6 entries") } != nil)
    try tmux.send("q")
    #expect(try tmux.wait(for: "ended with 0"))
  }

  @Test func `Changes by the process appear without a key press`() throws {
    let tmux = try Tmux(
      "LARDER_PATIENCE=600 '\(Shell.larder)' '\(program.location)#ticks' --no-journal",
      columns: 120, rows: 20)
    #expect(try tmux.wait(for: "1 of 1 entry"))
    var seen: Set<String> = []
    #expect(
      try tmux.wait { screen in
        for word in screen.split(whereSeparator: \.isWhitespace) where Int(word) != nil {
          seen.insert(String(word))
        }
        return seen.count > 4
      } != nil)
    try tmux.send("q")
  }

  @Test func `A program shows its own sources and continues after the browser`() throws {
    let program = URL(filePath: Shell.larder).deletingLastPathComponent()
      .appending(path: "EmbeddedBrowser").path
    let tmux = try Tmux("'\(program)'; echo ended with $?", columns: 140, rows: 24)
    #expect(try tmux.wait(for: "visit:0"))
    #expect(try tmux.wait(for: "writers"))
    // The program's own changes appear while the browser is open.
    #expect(try tmux.wait(for: "visit:3"))
    try tmux.send("e")
    #expect(try tmux.wait(for: "Esc leave"))
    try tmux.send("Escape")
    // Esc directly followed by q would be read as Alt-q.
    #expect(try tmux.wait { !$0.contains("Esc leave") } != nil)
    try tmux.send("q")
    #expect(
      try tmux.wait { $0.contains("the program goes on") && $0.contains("ended with 0") } != nil)
    let unseen = try Shell.run(program, [])
    #expect(
      unseen.text.contains("larder: standard output is not a terminal")
        || unseen.text.contains("is not a terminal"))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `The process ends when terminated, and removes its socket`(
    _ signal: Int32
  ) throws {
    #expect(program.end(signal) == 128 + signal)
    #expect(!FileManager.default.fileExists(atPath: program.socket))
  }

  @Test(arguments: ["q", "kill"])
  func `The samples include a live process that ends with the browser`(_ way: String) throws {
    let scratch = try Scratch()
    let tmux = try Tmux(
      "LARDER_PATIENCE=600 '\(Shell.larder)' demo '\(scratch.path)' --no-journal; echo ended with $?",
      columns: 110)
    #expect(try tmux.wait(for: "live.sock"))
    let socket = scratch.file("live.sock")
    #expect(
      try Shell.larder(
        "get", "unix:\(socket)#settings", "theme", environment: ["LARDER_PATIENCE": "600"]
      ).lines == ["dark"])
    let browser = try #require(try tmux.process(named: "larder"))
    let found = try Shell.run("pgrep", ["-P", "\(browser)"]).lines.first
    let child = try #require(found.flatMap { pid_t($0) })
    if way == "q" { try tmux.send("q") } else { kill(browser, SIGKILL) }
    #expect(try tmux.wait(for: "ended with"))
    // A process that has ended but was not reaped has no memory.
    #expect(
      try tmux.wait { _ in
        let memory = try? String(contentsOfFile: "/proc/\(child)/statm", encoding: .utf8)
        return memory?.hasPrefix("0 ") ?? true
      } != nil)
    #expect(try Shell.larder("ls", "unix:\(socket)#settings").code == 3)
  }
}
