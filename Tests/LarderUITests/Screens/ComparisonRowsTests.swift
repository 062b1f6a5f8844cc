import LarderModel
@testable import LarderBrowser
@testable import LarderUI
import Testing

/// Rows of a comparison, laid out lazily.
@Suite struct ComparisonRowsTests {
  private static let lines = [
    "", "a", "a line of plain text that is longer than one row of a narrow column is",
    "čeština, ελληνικά, русский язык и ещё немного слов в одной строке",
    "日本語 text 中文 with 漢字 of two cells each, 一二三四五六七八九十",
    "e\u{301}\u{301} \u{1F468}\u{200D}\u{1F469}",
    "\u{1B}[31m\t\u{202E}", String(repeating: "字a", count: 40), "x\r", "\u{301}",
  ]

  private func comparison() -> ValueComparison {
    let left = (0..<200).map { Self.lines[$0 % Self.lines.count] + ($0 % 7 == 0 ? "!" : "") }
    let right = (0..<200).map { Self.lines[$0 % Self.lines.count] + ($0 % 31 == 0 ? "?" : "") }
    return ValueComparison(
      .text(left.joined(separator: "\n")), .text(right.joined(separator: "\n")),
      names: .two("left", "right"))
  }

  private func text(_ rows: [ComparisonRows.Row]) -> [String] {
    rows.map { row in
      row.map { "\($0.x) " + $0.pieces.map { "\($0.text)|\($0.isChanged)" }.joined() }.joined()
    }
  }

  @Test(arguments: [1, 4, 5, 20, 37, 38, 39, 40, 41, 60, 90, 200], [true, false])
  func `Any range of rows equals that part of all rows`(_ width: Int, _ isFolded: Bool) {
    let rows = ComparisonRows(comparison(), width: width, hasTitles: true, isFolded: isFolded)
    let all = text(rows.rows(0..<rows.count))
    #expect(all.count == rows.count)
    #expect(text(rows.rows(0..<(rows.count + 10))) == all)
    for start in stride(from: 0, to: rows.count, by: 11) {
      let end = min(start + 24, rows.count)
      #expect(text(rows.rows(start..<end)) == Array(all[start..<end]))
    }
    #expect(rows.rows(rows.count..<(rows.count + 1)).isEmpty)
  }

  @Test func notesAreNotFolded() {
    let lines = (0..<60_000).map { "line \($0)" }
    let comparison = ValueComparison(
      .text((["a"] + lines).joined(separator: "\n")),
      .text((["b"] + lines).joined(separator: "\n")),
      names: .two("left", "right"))
    let rows = ComparisonRows(comparison, width: 150, hasTitles: true, isFolded: true)
    let shown = text(rows.rows(0..<rows.count))
    #expect(shown.last?.contains("not compared line by line, and the same") == true)
    #expect(rows.differences.count == 1)
  }
}
