import Testing

/// Commands on in-memory stores, which last only as long as the process.
@Suite struct MemoryCommandTests {
  private let scratch: Scratch
  private let seed: String

  init() throws {
    scratch = try Scratch()
    seed = try scratch.file("seed.json", #"{"a": "one", "b": "two"}"#.utf8)
  }

  @Test func `A change that would be lost with the process is refused`() throws {
    for location in ["memory:", "memory:\(seed)"] {
      for words in [
        ["put", location, "a", "new"], ["rm", location, "a"], ["mv", location, "a", "c"],
        ["rm", location, "--prefix", "a", "--yes"], ["import", location],
      ] {
        let outcome = try Shell.run(
          Shell.larder, words, input: Array(#"{"key":"x","value":1}"#.utf8))
        #expect(outcome.code == 5, "\(words)")
        #expect(outcome.errors.contains("exists only while larder runs"))
      }
    }
  }

  @Test func `A dry run works, and the browser can still make changes`() throws {
    let location = "memory:\(seed)"
    #expect(try Shell.larder("rm", location, "a", "--dry-run").lines == ["a"])
    #expect(try Shell.larder("mv", location, "a", "c", "--dry-run").code == 0)
    let screen = try Shell.larder(
      "screen", location, "--size", "80x10", "--keys", "<Enter>dy", "--no-journal")
    #expect(screen.code == 0)
    #expect(!screen.text.contains("one"), "\(screen.text)")
  }
}
