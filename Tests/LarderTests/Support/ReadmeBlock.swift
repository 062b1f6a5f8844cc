import Foundation
import Testing

/// A block of the README that the program itself writes.
///
/// With `RECORD_README=1` it is written anew, and the test fails so that somebody looks at it.
enum ReadmeBlock {
  static let readme = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "README.md")

  static var isRecording: Bool { ProcessInfo.processInfo.environment["RECORD_README"] != nil }

  /// Expects the README to show what was printed, without the blanks at the ends of lines.
  static func check(_ block: String, is output: String) throws {
    let printed = trimmed(output)
    let (text, range) = try find(block)
    let isSame = text[range] == printed
    if isRecording, !isSame {
      try Data(text.replacingCharacters(in: range, with: printed).utf8).write(to: readme)
    }
    #expect(
      isSame,
      "the block “\(block)” is stale; RECORD_README=1 writes it anew\n\(text[range])\n\(printed)")
  }

  /// Whether the README shows what was printed.
  static func shows(_ block: String, _ output: String) throws -> Bool {
    let (text, range) = try find(block)
    return text[range] == trimmed(output)
  }

  private static func find(_ block: String) throws -> (String, Range<String.Index>) {
    let text = try String(contentsOf: readme, encoding: .utf8)
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
