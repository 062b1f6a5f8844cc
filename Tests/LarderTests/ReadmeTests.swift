import Foundation
import Testing

/// The blocks of the README that the program itself writes.
@Suite(.serialized) struct ReadmeTests {
  private let readme = ReadmeBlock.readme

  @Test(arguments: ["kinds", "keys", "settings", "help"])
  func `the README says what the program says`(block: String) throws {
    let words = block == "help" ? ["--help"] : [block]
    try ReadmeBlock.check(block, is: try Shell.run(Shell.larder, words).text)
  }

  @Test func `the README shows the screen that the program draws`() throws {
    let scratch = try Scratch()
    _ = try Shell.larder("demo", scratch.path)
    let screen = try Shell.larder(
      "screen", "app.db", "--size", "92x14", "--keys", "<Tab><Tab>j<Enter>jj",
      folder: scratch.path)
    try ReadmeBlock.check("screen", is: screen.text)
  }

  @Test func `the README names the commands that CI runs`() throws {
    let script = readme.deletingLastPathComponent().appending(path: ".ci/run")
    let text = try String(contentsOf: script, encoding: .utf8)
    #expect(text.contains("\ntested swift test --parallel\n"))
    #expect(try String(contentsOf: readme, encoding: .utf8).contains("&& swift test --parallel\n"))
  }
}
