import Foundation
import Testing

/// The manual page.
@Suite struct ManualTests {
  private let scratch: Scratch
  private let page: String

  init() throws {
    scratch = try Scratch()
    page = scratch.file("larder.1")
    try Data(Shell.larder("man").output).write(to: URL(filePath: page))
  }

  @Test func `mandoc accepts the page`() throws {
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
    #expect(text.contains("larder - browse and edit app data: databases, property lists, caches"))
    #expect(text.contains("LARDER_DRY_RUN same as --dry-run, in all commands that have it"))
    #expect(text.contains("LARDER_TTL same as --ttl: TTL of a folder's files"))
    #expect(
      text.contains("LARDER_LONG same as --long: also show type, size, modification"))
    let commands = try Shell.commands()
    #expect(commands.count > 15)
    for (name, _) in commands {
      let help = try Shell.larder(name, "--help").lines
      let usage = help.prefix { !$0.isEmpty }.joined(separator: " ")
      #expect(text.contains(usage.split(separator: " ").joined(separator: " ")), "\(usage)")
      for line in help where line.hasPrefix("  --") {
        let option = line.split(separator: " ")[0]
        #expect(text.contains(option), "\(option)")
      }
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
