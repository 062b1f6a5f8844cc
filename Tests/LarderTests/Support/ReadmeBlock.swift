import Foundation
import Testing

/// A block of the README, or of a page that it leads to, that the program itself writes.
///
/// With `RECORD_README=1` it is written again, and the test fails so that somebody looks at it.
enum ReadmeBlock {
  static let readme = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "README.md")

  /// A page of the documentation.
  static func page(_ path: String) -> URL {
    readme.deletingLastPathComponent().appending(path: "Sources/" + path)
  }

  static var isRecording: Bool { ProcessInfo.processInfo.environment["RECORD_README"] != nil }

  /// Expects the README to show what was printed, without the blanks at the ends of lines.
  static func check(_ block: String, is output: String, in page: URL = readme) throws {
    let printed = trimmed(output)
    let (text, range) = try find(block, page)
    let isSame = text[range] == printed
    if isRecording, !isSame {
      try Data(text.replacingCharacters(in: range, with: printed).utf8).write(to: page)
    }
    #expect(
      isSame,
      "the block “\(block)” is stale; RECORD_README=1 writes it again\n\(text[range])\n\(printed)")
  }

  /// Whether the page shows what was printed.
  static func shows(_ block: String, _ output: String, in page: URL) throws -> Bool {
    let (text, range) = try find(block, page)
    return text[range] == trimmed(output)
  }

  private static func find(
    _ block: String, _ page: URL
  ) throws -> (String, Range<String.Index>) {
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = "<!-- \(block) -->\n```text\n"
    let end = "```\n<!-- end \(block) -->"
    let from = try #require(text.range(of: start)?.upperBound)
    let to = try #require(text.range(of: end)?.lowerBound)
    return (text, from..<to)
  }

  private static func trimmed(_ output: String) -> String {
    output.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in line.lastIndex { $0 != " " }.map { line[...$0] } ?? "" }
      .joined(separator: "\n")
  }
}
