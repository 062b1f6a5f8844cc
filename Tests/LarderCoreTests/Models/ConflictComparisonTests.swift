@testable import LarderCore
import Testing

/// What of the values of a conflict is marked.
@Suite struct ConflictComparisonTests {
  private func compare(
    _ before: StoredValue?, _ theirs: StoredValue?, _ mine: StoredValue?
  ) -> ConflictComparison {
    ConflictComparison(before: before, theirs: theirs, mine: mine, missingMine: "delete")
  }

  /// The rows with what differs in brackets.
  private func text(_ comparison: ConflictComparison) -> [String] {
    comparison.rows.map { row in
      let cells = [row.before, row.theirs, row.mine].map { line in
        line.map { line in
          line.parts.map { $0.isChanged ? "[\($0.text)]" : $0.text }.joined()
        } ?? "–"
      }
      return (row.isDifferent ? "! " : "  ") + cells.joined(separator: " | ")
    }
  }

  @Test(
    arguments: [
      ("likes tea", "likes tea and cake", "likes tea[ and cake]"),
      ("1815", "1816", "181[6]"),
      ("the quick brown fox", "the slow brown dog", "the [slow] brown [dog]"),
      ("same", "same", "same"),
      ("", "new", "[new]"),
      ("one two", "two", "two"),
      ("a", "a ", "a[ ]"),
    ])
  func wordsAndCharactersAreMarked(_ other: String, _ line: String, _ marked: String) {
    var comparisons = LineDifference.greatestComparisons
    let parts = LineDifference.parts(of: line, against: other, comparisons: &comparisons)
    #expect(parts.map { $0.isChanged ? "[\($0.text)]" : $0.text }.joined() == marked)
    #expect(parts.map(\.text).joined() == line)
  }

  @Test func twoSpellingsOfALetterDiffer() {
    let comparison = compare(nil, .text("caf\u{E9}"), .text("cafe\u{301}"))
    #expect(text(comparison) == ["! – | caf[\u{E9}] | caf[e\u{301}]"])
  }

  @Test func eachSideIsComparedWithWhatWasThere() {
    let comparison = compare(
      .text("one\ntwo\nthree"), .text("one\n2\nthree"), .text("one\ntwo\nthree!"))
    #expect(
      text(comparison) == [
        "  one | one | one", "! two | [2] | two", "! three | three | three[!]",
      ])
  }

  @Test func addedAndRemovedLinesStandAlone() {
    let comparison = compare(
      .text("one\ntwo\nthree"), .text("one\nthree"), .text("zero\none\ntwo\nthree"))
    #expect(
      text(comparison) == [
        "! – | – | [zero]", "  one | one | one", "! two | – | two", "  three | three | three",
      ])
  }

  @Test func aDeletedEntryIsNoLineOfIt() {
    let comparison = compare(.text("one\ntwo"), nil, .text("one\n2"))
    #expect(comparison.theirsNote == "deleted")
    #expect(text(comparison) == ["  one | – | one", "! two | – | [2]"])
  }

  @Test func aDeletionIsComparedWithWhatIsThere() {
    let comparison = compare(.text("tea"), .text("coffee"), nil)
    #expect(comparison.mineNote == "delete")
    #expect(text(comparison) == ["! tea | [coff]e[e] | –"] || text(comparison).count == 1)
  }

  @Test func aNewKeyIsComparedWithTheOtherValue() {
    let comparison = compare(nil, .text("likes tea"), .text("likes cake"))
    #expect(!comparison.hasBefore)
    #expect(comparison.rows.count == 1)
    #expect(comparison.rows.first?.isDifferent == true)
  }

  @Test func valuesThatOnlyDifferInTypeSayTheirTypes() {
    let comparison = compare(.text("41"), .integer(42), .text("42"))
    #expect(comparison.theirsNote == "integer")
    #expect(comparison.mineNote == "text")
    func row(_ value: StoredValue) -> StoredValue { .record([.init("born", value)]) }
    let rows = compare(row(.integer(1)), row(.text("1")), row(.integer(1)))
    #expect(text(rows) == ["! born (integer)  1 | born ([text])  1 | born (integer)  1"])
  }

  @Test func aDifferenceBehindWhatIsComparedIsSaid() {
    let long = String(repeating: "line\n", count: ConflictSide.greatestLines + 10)
    let comparison = compare(.text(long), .text(long + "a"), .text(long + "b"))
    #expect(comparison.rows.last?.isDifferent == true)
    #expect(comparison.rows.count <= ConflictSide.greatestLines + 2)
  }

  @Test func manyLongLinesAreNotComparedToTheEnd() {
    func text(_ letter: String) -> StoredValue {
      .text(String(repeating: String(repeating: letter, count: 1_500) + "\n", count: 400))
    }
    let comparison = compare(text("a"), text("b"), text("c"))
    for side in [\ConflictComparison.Row.before, \.theirs, \.mine] {
      let lines = comparison.rows.compactMap { $0[keyPath: side]?.text }
      #expect(lines.reduce(0) { $0 + $1.count } <= ConflictSide.greatestText + 100)
      #expect(lines.last == "… the rest is too long to be compared")
    }
  }

  @Test func textsWithNothingInCommonAreNotComparedWordByWordToTheEnd() {
    func text(_ letter: String) -> StoredValue {
      let words = (0..<50).map { "\(letter)\($0)" }.joined(separator: " ")
      return .text((0..<400).map { "\(words) \($0) \(letter)" }.joined(separator: "\n"))
    }
    let comparison = compare(text("a"), text("b"), text("c"))
    #expect(comparison.comparisons >= 0)
    #expect(comparison.rows.count == 400)
    let parts = comparison.rows.compactMap(\.theirs?.parts.count)
    #expect(parts.first.map { $0 > 1 } == true)
    #expect(parts.last == 1)
    #expect(parts.filter { $0 > 1 }.count < 20)
    #expect(comparison.rows.last?.theirs?.parts.first?.isChanged == true)
  }

  @Test func randomValuesLoseNoLine() {
    var random = SampleGenerator()
    for _ in 0..<300 {
      let texts = (0..<3).map { _ in
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
          ["a", "b", "c", "d e", ""].randomElement(using: &random) ?? ""
        }.joined(separator: "\n")
      }
      let comparison = compare(.text(texts[0]), .text(texts[1]), .text(texts[2]))
      let sides: [KeyPath<ConflictComparison.Row, ConflictComparison.Line?>] = [
        \.before, \.theirs, \.mine,
      ]
      for (side, text) in zip(sides, texts) {
        let lines = comparison.rows.compactMap { $0[keyPath: side]?.text }
        let whole = ConflictSide(.text(text), missing: "").lines?.map(\.text)
        #expect(lines == whole, "seed \(random.seed): \(texts)")
      }
      #expect(comparison.rows.contains(where: \.isDifferent) == (Set(texts).count > 1))
    }
  }
}
