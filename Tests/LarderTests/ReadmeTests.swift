import Foundation
import Testing

/// The blocks of the README that the program itself writes.
@Suite(.serialized) struct ReadmeTests {
  private let readme = ReadmeBlock.readme

  @Test(
    arguments: [
      ("kinds", ["kinds"], "larder/larder.docc/Kinds.md"),
      ("keys", ["keys"], "LarderUI/LarderUI.docc/UsingTheBrowser.md"),
      ("settings", ["settings"], "LarderUI/LarderUI.docc/UsingTheBrowser.md"),
      ("help", ["--help"], "larder/larder.docc/CommandLine.md"),
      ("schema", ["schema"], "larder/larder.docc/JSONFields.md"),
    ])
  func `the pages say what the program says`(
    block: String, words: [String], page: String
  ) throws {
    try ReadmeBlock.check(
      block, is: try Shell.run(Shell.larder, words).text, in: ReadmeBlock.page(page))
  }

  @Test func `the page of the command line has the usage of every command`() throws {
    let usages = try Shell.commands().map { name, _ in
      try Shell.larder(name, "--help").lines.prefix { !$0.isEmpty }.joined(separator: "\n")
    }
    try ReadmeBlock.check(
      "usage", is: usages.joined(separator: "\n") + "\n",
      in: ReadmeBlock.page("larder/larder.docc/CommandLine.md"))
  }

  @Test func `the README names every command, with what it does`() throws {
    let lines = try Shell.commands().map { name, summary in
      "larder \(name)".padding(toLength: 20, withPad: " ", startingAt: 0) + summary
    }
    #expect(lines.count > 20)
    try ReadmeBlock.check("commands", is: lines.joined(separator: "\n") + "\n")
  }

  @Test func `the README is short, and every page that it names is there`() throws {
    let text = try String(contentsOf: readme, encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
    let links = text.matches(of: /\]\(([^):]+)\)/).map { String($0.1) }
    #expect(links.count > 8)
    for link in links {
      let path = readme.deletingLastPathComponent().appending(path: link).path
      #expect(FileManager.default.fileExists(atPath: path), "\(link)")
    }
  }

  @Test func `the picture of the README is what the program draws`() throws {
    let scratch = try Scratch()
    _ = try Shell.larder("demo", scratch.path)
    let screen = try Shell.larder(
      "screen", "app.db#orders", "--size", "110x22", "--styles", "--keys", "jjllll",
      folder: scratch.path)
    let root = readme.deletingLastPathComponent()
    let picture = try Shell.run(
      "python3", [root.path + "/.ci/picture", root.path + "/Themes/larder-dark.json"],
      input: Array(screen.text.utf8))
    let file = ReadmeBlock.page("larder/larder.docc/Resources/grid.svg")
    if ReadmeBlock.isRecording { try Data(picture.text.utf8).write(to: file) }
    #expect(picture.text == (try String(contentsOf: file, encoding: .utf8)))
    #expect(
      try String(contentsOf: readme, encoding: .utf8).contains("larder.docc/Resources/grid.svg"))
  }

  @Test func `the README names the commands that CI runs`() throws {
    let script = readme.deletingLastPathComponent().appending(path: ".ci/run")
    let text = try String(contentsOf: script, encoding: .utf8)
    let width = "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=32"
    #expect(text.contains("\nexport \(width)\n"))
    #expect(text.contains("\ntested swift test --parallel\n"))
    #expect(
      try String(contentsOf: readme, encoding: .utf8).contains(
        "&& \(width) swift test --parallel\n"))
  }
}
