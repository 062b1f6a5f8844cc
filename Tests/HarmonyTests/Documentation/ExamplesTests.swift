import Foundation
import Testing

/// The examples in the documentation, which must be part of compiled tests.
@Suite struct ExamplesTests {
  /// Returns the non-empty lines of a text without their indentation.
  private static func lines(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// Returns the examples in a page or in the comments of a source file.
  private static func examples(_ text: String) -> [[String]] {
    var examples: [[String]] = []
    var current: [String]?
    for line in lines(text) {
      let line = line.hasPrefix("///") ? lines(line.dropFirst(3)).first ?? "" : line
      if line == "```swift" {
        current = []
      } else if line == "```" {
        if let current { examples.append(current) }
        current = nil
      } else if !line.isEmpty {
        current?.append(line)
      }
    }
    return examples
  }

  @Test func `Each example is part of a compiled test`() throws {
    let tests = try PackageFiles.testSources().filter { $0.key.hasPrefix("Documentation/") }
      .values.map { "\n" + Self.lines($0).joined(separator: "\n") + "\n" }
    let pages = try PackageFiles.pages()
    #expect(pages.count > 10)
    for (name, text) in pages.merging(try PackageFiles.sources(), uniquingKeysWith: { a, _ in a }) {
      for example in Self.examples(text) {
        let text = "\n" + example.joined(separator: "\n") + "\n"
        #expect(
          tests.contains { $0.contains(text) },
          "\(name) has an example that no test compiles, which begins: \(example.first ?? "")")
      }
    }
  }

  @Test func `Every page has an example, except those without code`() throws {
    for (name, text) in try PackageFiles.pages() where name != "Departures.md" {
      #expect(!Self.examples(text).isEmpty, "\(name) has no example")
    }
  }

  @Test func `The first page links to all others`() throws {
    let pages = try PackageFiles.pages()
    let first = try #require(pages["Harmony.md"])
    for name in pages.keys where name != "Harmony.md" {
      #expect(first.contains("<doc:\(name.dropLast(3))>"), "\(name) cannot be found")
    }
  }
}
