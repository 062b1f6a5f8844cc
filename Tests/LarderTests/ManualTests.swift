import Foundation
import Testing

/// The page of the manual.
@Suite struct ManualTests {
  private let scratch: Scratch
  private let page: String

  init() throws {
    scratch = try Scratch()
    page = scratch.file("larder.1")
    try Data(Shell.larder("man").output).write(to: URL(filePath: page))
  }

  @Test func `mandoc finds nothing wrong with it`() throws {
    let outcome = try Shell.run("mandoc", ["-T", "lint", page])
    #expect(outcome.text == "")
    #expect(outcome.code == 0)
  }

  @Test func `man shows all commands, options, kinds, keys and settings`() throws {
    let shown = try Shell.run(
      "man", ["--warnings", "-l", page],
      environment: ["MANWIDTH": "200", "MAN_KEEP_FORMATTING": ""])
    #expect(shown.code == 0)
    #expect(shown.errors == "")
    let words = shown.text.replacing(/.\u{8}/, with: "").split(whereSeparator: \.isWhitespace)
    let text = words.joined(separator: " ")
    #expect(text.contains("larder - browse and change what local data stores hold"))
    #expect(text.contains("LARDER_DRY_RUN stands for --dry-run, in each command that has it"))
    #expect(text.contains("LARDER_TTL stands for --ttl: look at the store through a timed cache"))
    #expect(text.contains("LARDER_LONG stands for --long: type, size and time before each key"))
    let help = try Shell.larder("--help").lines
    var commands: [String] = []
    for line in help.dropFirst() {
      let part = line.split(separator: " ").joined(separator: " ")
      if line.hasPrefix("larder ") {
        commands.append(part)
      } else if line.hasPrefix("          "), !commands.isEmpty {
        commands[commands.count - 1] += " " + part
      }
    }
    commands.removeAll { $0.hasPrefix("larder COMMAND --help") }
    #expect(commands.count > 15)
    for usage in commands { #expect(text.contains(usage), "\(usage)") }
    for line in help where line.hasPrefix("  --") {
      let words = line.split(separator: " ").joined(separator: " ")
      #expect(text.contains(words), "\(words)")
    }
    for list in ["keys", "settings", "kinds"] {
      for line in try Shell.larder(list).lines where line.hasPrefix("  :") || line.contains("  ") {
        let end = line.components(separatedBy: "  ").last { !$0.isEmpty } ?? ""
        let words = end.split(separator: " ").joined(separator: " ")
        #expect(text.contains(words), "\(list): \(words)")
      }
    }
  }
}
