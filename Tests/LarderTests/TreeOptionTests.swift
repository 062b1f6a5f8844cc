import Testing

/// The key separator of the tree, set on the command line.
@Suite struct TreeOptionTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  @Test(arguments: [" ", "=", "--", "\\", "→", "\"", "-", "0"])
  func `Any text can separate keys`(delimiter: String) throws {
    let rows = ["a", "b"].map { "('one\(delimiter)\($0):x', 1)" }.joined(separator: ",")
    let database = try scratch.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES\(rows), ('two', 2);")
    for words in [["--delimiter", delimiter], ["--delimiter=\(delimiter)"]] {
      let outcome = try Shell.run(
        Shell.larder, ["screen", database, "--size", "90x10", "--keys", "T"] + words)
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(outcome.text.contains("grouped by “\(delimiter)”"), "\(outcome.text)")
      // Trailing blanks are shown in quotes.
      let label = delimiter == " " ? "▸ \"one \"" : "▸ one"
      let branch = outcome.lines.first { $0.contains(label) }
      #expect(branch?.contains("  2 ") == true, "\(outcome.text)")
      #expect(outcome.lines.contains { $0.contains("two") })
    }
  }

  @Test func `Without a tree the option has no effect, and "" is detected`() throws {
    let database = try scratch.database(
      "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a:b', 1), ('a:c', 2);")
    let list = try Shell.larder("ls", database, "--delimiter", " ")
    #expect(list.lines == ["a:b", "a:c"])
    let guessed = try Shell.larder("screen", database, "--delimiter", "", "--keys", "T")
    #expect(guessed.text.contains("grouped by “:”"), "\(guessed.text)")
    #expect(try Shell.larder("screen", database, "--delimiter").code == 2)
  }
}
