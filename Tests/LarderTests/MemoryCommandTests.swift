import Testing

/// Commands on stores that last only as long as the program runs.
@Suite struct MemoryCommandTests {
  private let scratch: Scratch
  private let seed: String

  init() throws {
    scratch = try Scratch()
    seed = try scratch.file("seed.json", #"{"a": "one", "b": "two"}"#.utf8)
  }

  @Test func `Nothing is said to be written that is gone with the command`() throws {
    for location in ["memory:", "memory:\(seed)"] {
      for words in [
        ["put", location, "a", "new"], ["rm", location, "a"], ["mv", location, "a", "c"],
        ["rm", location, "--prefix", "a", "--yes"], ["import", location],
      ] {
        let outcome = try Shell.run(
          Shell.larder, words, input: Array(#"{"key":"x","value":1}"#.utf8))
        #expect(outcome.code == 5, "\(words)")
        #expect(outcome.errors.contains("lasts only as long as the program runs"))
      }
    }
  }

  @Test func `What would be changed can be asked, and the browser still changes it`() throws {
    let location = "memory:\(seed)"
    #expect(try Shell.larder("rm", location, "a", "--dry-run").lines == ["a"])
    #expect(try Shell.larder("mv", location, "a", "c", "--dry-run").code == 0)
    let screen = try Shell.larder(
      "screen", location, "--size", "80x10", "--keys", "<Enter>dy", "--no-journal")
    #expect(screen.code == 0)
    #expect(!screen.text.contains("one"), "\(screen.text)")
  }
}
