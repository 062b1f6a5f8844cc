import Foundation
import HarmonyTesting
import TerminalUI
import TestPrograms
import Testing

@testable import TerminalNcurses

/// 24-bit colors in ncurses, regardless of the terminfo database.
extension NcursesTerminalTests {
  private static let folders = ["/lib/terminfo", "/usr/share/terminfo"]

  /// Returns up to `count` compiled entries of this system.
  private func entries(_ count: Int) -> [(path: String, bytes: [UInt8])] {
    var found: [(path: String, bytes: [UInt8])] = []
    for folder in Self.folders {
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
      for name in names.sorted() where found.count < count {
        let path = folder + "/" + name
        guard let data = FileManager.default.contents(atPath: path), !data.isEmpty else { continue }
        found.append((path, Array(data)))
      }
    }
    return found
  }

  /// Returns the output of `infocmp` for an entry, without the line that names its file.
  private func description(_ name: String, in folder: String) throws -> String {
    let outcome = try ProgramOutcome(running: ["infocmp", "-x", "-1", "-A", folder, name])
    return String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.joined(separator: "\n")
  }

  private func writing<Value>(
    _ bytes: [UInt8], as name: String, _ body: (String) throws -> Value
  ) throws -> Value {
    let folder = NSTemporaryDirectory() + "/terminfo-" + UUID().uuidString
    let group = folder + "/" + name.prefix(1)
    try FileManager.default.createDirectory(atPath: group, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(bytes).write(to: URL(fileURLWithPath: group + "/" + name))
    return try body(folder)
  }

  @Test(arguments: ["xterm-256color", "tmux-256color", "linux", "vt100", "screen", "rxvt"])
  func `An entry is written as it was read`(_ name: String) throws {
    let entry = try #require(TerminfoDatabase.entry(named: name, variables: [:]))
    let bytes = try #require(entry.bytes)
    let folder = try #require(
      Self.folders.first {
        FileManager.default.fileExists(atPath: "\($0)/\(name.prefix(1))/\(name)")
      })
    let before = try description(name, in: folder)
    let after = try writing(bytes, as: name) { try description(name, in: $0) }
    #expect(after == before)
    #expect(before.contains("cup="))
  }

  @Test func `Every entry of the system is read, and damaged ones are harmless`() throws {
    let all = entries(2_000)
    #expect(all.count > 20)
    for (path, bytes) in all {
      let entry = try #require(TerminfoEntry(bytes), "\(path)")
      let direct = try #require(entry.withDirectColors.bytes, "\(path)")
      #expect(TerminfoEntry(direct) != nil, "\(path)")
    }
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let whole = try #require(all.first { $0.path.hasSuffix("/xterm-256color") }).bytes
    for count in 0..<whole.count { _ = TerminfoEntry(Array(whole.prefix(count)))?.bytes }
    for _ in 0..<2_000 {
      var damaged = whole
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      _ = TerminfoEntry(damaged)?.withDirectColors.bytes
    }
  }

  @Test func otherTerminalsHaveNoEntry() {
    for name in ["", "no-such-terminal", "../x/xterm", "."] {
      #expect(TerminfoDatabase.entry(named: name, variables: ["HOME": "/nowhere"]) == nil)
    }
  }

  @Test(arguments: ["xterm-256color", "tmux-256color", "xterm"])
  func `Colors are exact on terminals that report support`(_ term: String) throws {
    let place = try TerminalOnFiles(term: term, environment: ["COLORTERM": "truecolor"])
    defer { place.close() }
    #expect(place.terminal.colorDepth == .trueColor)
    place.start()
    #expect(getenv("TERMINFO") == nil)
    var screen = Screen(size: place.terminal.size)
    let styles = [
      Style(foreground: .rgb(0x12, 0x34, 0x56), background: .rgb(0, 0, 0)),
      Style(foreground: .rgb(0, 0, 1), background: .rgb(255, 255, 255)),
      Style(foreground: .ansi(.brightRed), background: .ansi(.blue)),
      Style(foreground: .indexed(200), background: .ansi(.brightCyan)), .plain,
    ]
    for (y, style) in styles.enumerated() {
      screen.put("color", at: Point(x: 0, y: y), style: style)
    }
    place.terminal.present(screen)
    let written = place.written()
    for part in [
      "38;2;18;52;86m", "48;2;0;0;0m", "38;2;0;0;1m", "48;2;255;255;255m", "\u{1b}[91m",
      "\u{1b}[44m", "38;5;200m", "\u{1b}[106m",
    ] {
      #expect(written.contains(part), "\(part)")
    }
    place.terminal.stop()
    #expect(place.written().contains("\u{1b}[?1049l"))
  }

  @Test func `Keys work with exact colors too`() throws {
    let place = try TerminalOnFiles(
      environment: ["COLORTERM": "truecolor"], writesToTerminal: true)
    defer { place.close() }
    place.start()
    #expect(
      place.type("\u{1b}OA\u{1b}[1;5C\u{1b}[Z") == [
        .key(.up), .key(Key(.right, modifiers: .control)), .key(.backTab),
      ])
  }

  @Test(
    arguments: [
      ("screen-256color", [:], ColorDepth.indexed256),
      ("screen-256color", ["TMUX": "/tmp/tmux-0/default,1,0"], .trueColor),
      ("vt100", [:], .monochrome), ("linux", ["NO_COLOR": "1"], .monochrome),
      ("xterm-256color", ["COLORTERM": "yes"], .indexed256),
    ] as [(String, [String: String], ColorDepth)])
  func whoPassesOnWhatAnotherSaysIsNotBelieved(
    _ term: String, _ environment: [String: String], _ depth: ColorDepth
  ) throws {
    let place = try TerminalOnFiles(
      term: term, environment: ["COLORTERM": "truecolor"].merging(environment) { $1 })
    defer { place.close() }
    #expect(place.terminal.colorDepth == depth)
  }

  @Test func `A terminal whose entry reports support needs no variable`() throws {
    // Creates an entry from another one, in case the database has none.
    let entry = try #require(TerminfoDatabase.entry(named: "xterm-256color", variables: [:]))
    let bytes = try #require(entry.withDirectColors.bytes)
    try writing(bytes, as: "xterm-256color") { folder in
      setenv("TERMINFO", folder, 1)
      defer { unsetenv("TERMINFO") }
      let place = try TerminalOnFiles(environment: ["TERMINFO": folder])
      defer { place.close() }
      #expect(place.terminal.colorDepth == .trueColor)
      place.start()
      #expect(getenv("TERMINFO").map { String(cString: $0) } == folder)
    }
  }
}
