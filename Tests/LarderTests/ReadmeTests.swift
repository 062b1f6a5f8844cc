import Foundation
import Testing

/// The blocks of the README that the program itself writes.
///
/// With `RECORD_README=1` they are written anew, and the test fails so that somebody looks at them.
@Suite(.serialized) struct ReadmeTests {
  private let readme = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md")

  @Test(arguments: ["kinds", "keys", "settings", "help"])
  func `the README says what the program says`(block: String) throws {
    let words = block == "help" ? ["--help"] : [block]
    try check(block, is: try Shell.run(Shell.larder, words).text)
  }

  @Test func `the README shows the screen that the program draws`() throws {
    let scratch = try Scratch()
    _ = try Shell.larder("demo", scratch.path)
    let screen = try Shell.larder(
      "screen", "app.db", "--size", "92x14", "--keys", "<Tab><Tab>j<Enter>jj",
      folder: scratch.path)
    try check("screen", is: screen.text)
  }

  @Test func `the README names the commands that CI runs`() throws {
    let script = readme.deletingLastPathComponent().appending(path: ".ci/run")
    let text = try String(contentsOf: script, encoding: .utf8)
    #expect(text.contains("\nswift test --parallel\n"))
    #expect(try String(contentsOf: readme, encoding: .utf8).contains("&& swift test --parallel\n"))
  }

  private func check(_ block: String, is output: String) throws {
    let trimmed = output.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in line.lastIndex { $0 != " " }.map { line[...$0] } ?? "" }
      .joined(separator: "\n")
    let text = try String(contentsOf: readme, encoding: .utf8)
    let start = "<!-- \(block) -->\n```text\n"
    let end = "```\n<!-- end \(block) -->"
    let from = try #require(text.range(of: start)?.upperBound)
    let to = try #require(text.range(of: end)?.lowerBound)
    let written = String(text[from..<to])
    if ProcessInfo.processInfo.environment["RECORD_README"] != nil, written != trimmed {
      let renewed = text.replacingCharacters(in: from..<to, with: trimmed)
      try Data(renewed.utf8).write(to: readme)
    }
    #expect(written == trimmed, "the block “\(block)” is stale; RECORD_README=1 writes it anew")
  }
}
