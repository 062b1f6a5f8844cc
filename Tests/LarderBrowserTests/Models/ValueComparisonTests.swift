import TestSamples
@testable import LarderModel
@testable import LarderFormats
@testable import LarderBrowser
import Testing

/// Marked differences between the values of a conflict.
@Suite struct ValueComparisonTests {
  private func compare(
    _ before: StoredValue?, _ theirs: StoredValue?, _ mine: StoredValue?
  ) -> ValueComparison {
    ValueComparison(before: before, theirs: theirs, mine: mine, missingMine: "delete")
  }

  @Test func `In a comparison of two values, left lines are removed and right lines added`() {
    let comparison = ValueComparison(
      .text("same\nleft\nend"), .text("same\nend\nright"), names: .two("a", "b"))
    #expect(comparison.rows.compactMap(\.left?.mark) == [.same, .removed, .same])
    #expect(comparison.rows.compactMap(\.right?.mark) == [.same, .same, .added])
  }

  /// Returns the rows, with differences in brackets.
  private func text(_ comparison: ValueComparison) -> [String] {
    comparison.rows.map { row in
      let cells = [row.before, row.left, row.right].map { line in
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
  func `Changed words and characters are marked`(_ other: String, _ line: String, _ marked: String)
  {
    var comparisons = LineDifference.maximumComparisons
    let parts = LineDifference.parts(of: line, against: other, comparisons: &comparisons)
    #expect(parts.map { $0.isChanged ? "[\($0.text)]" : $0.text }.joined() == marked)
    #expect(parts.map(\.text).joined() == line)
  }

  @Test func `Composed and decomposed characters differ`() {
    let comparison = compare(nil, .text("caf\u{E9}"), .text("cafe\u{301}"))
    #expect(text(comparison) == ["! – | caf[\u{E9}] | caf[e\\u{301}]"])
  }

  @Test(
    arguments: [
      ("ab", "a\u{200D}b", "[a\\u{200d}]b"),
      ("a b", "a\u{A0}b", "a[\\u{a0}]b"),
      ("ab", "a\u{3164}b", "a[\\u{3164}]b"),
      ("ab", "\u{FEFF}ab", "[\\u{feff}]ab"),
      ("❤ red", "❤\u{FE0F} red", "[❤\\u{fe0f}] red"),
      ("👍 yes", "👍\u{1F3FD} no", "[👍\\u{1f3fd}] [no]"),
      ("\u{212A}", "K", "[K]"), ("K", "\u{212A}", "[\\u{212a}]"),
      ("see \u{241B} and x", "see \u{1B} and y", "see [\\u{1b}] and [y]"),
      // Visible differences are not escaped.
      ("💙\u{FE0F}", "❤\u{FE0F}", "[❤\u{FE0F}]"), ("a", "a\t", "a[\t]"),
      ("👨\u{200D}👩", "👨\u{200D}👧", "[👨\u{200D}👧]"),
    ])
  func `Invisible differences are escaped`(
    _ other: String, _ line: String, _ marked: String
  ) {
    let comparison = compare(nil, .text(other), .text(line))
    let right = comparison.rows.first?.right?.parts ?? []
    let shown = right.map { $0.isChanged ? "[\($0.text)]" : $0.text }.joined()
    #expect(shown.hasBytes(of: marked), "\(shown.unicodeScalars.map { $0.value })")
  }

  @Test func `Two versions of a conflict that look alike are distinguished`() {
    let comparison = compare(.text("old"), .text("a\u{AD}b"), .text("ab"))
    #expect(text(comparison) == ["! old | [a\\u{ad}b] | [ab]"])
  }

  @Test func `Many words that only look alike are escaped`() {
    let words = (0..<400).map { "w\($0)" }
    let comparison = compare(
      nil, .text(words.joined(separator: " ")), .text(words.joined(separator: "\u{2003}")))
    #expect(comparison.rows.first?.right?.text.hasPrefix("w0\\u{2003}w1\\u{2003}") == true)
    #expect(comparison.rows.first?.left?.text.hasPrefix("w0 w1 ") == true)
  }

  @Test func `Each side is compared with the base`() {
    let comparison = compare(
      .text("one\ntwo\nthree"), .text("one\n2\nthree"), .text("one\ntwo\nthree!"))
    #expect(
      text(comparison) == [
        "  one | one | one", "! two | [2] | two", "! three | three | three[!]",
      ])
  }

  @Test func `Added and removed lines are on separate rows`() {
    let comparison = compare(
      .text("one\ntwo\nthree"), .text("one\nthree"), .text("zero\none\ntwo\nthree"))
    #expect(
      text(comparison) == [
        "! – | – | [zero]", "  one | one | one", "! two | – | two", "  three | three | three",
      ])
  }

  @Test func `A deleted entry has no lines`() {
    let comparison = compare(.text("one\ntwo"), nil, .text("one\n2"))
    #expect(comparison.leftNote == "deleted")
    #expect(text(comparison) == ["  one | – | one", "! two | – | [2]"])
  }

  @Test func `A deletion is compared with the current value`() {
    let comparison = compare(.text("tea"), .text("coffee"), nil)
    #expect(comparison.rightNote == "delete")
    #expect(text(comparison) == ["! tea | [coff]e[e] | –"] || text(comparison).count == 1)
  }

  @Test func `A new key is compared with the other value`() {
    let comparison = compare(nil, .text("likes tea"), .text("likes cake"))
    #expect(!comparison.hasBefore)
    #expect(comparison.rows.count == 1)
    #expect(comparison.rows.first?.isDifferent == true)
  }

  @Test func `Values that differ only in type show their types`() {
    let comparison = compare(.text("41"), .integer(42), .text("42"))
    #expect(comparison.leftNote == "integer")
    #expect(comparison.rightNote == "text")
    func row(_ value: StoredValue) -> StoredValue { .record([.init("born", value)]) }
    let rows = compare(row(.integer(1)), row(.text("1")), row(.integer(1)))
    #expect(text(rows) == ["! born (integer)  1 | born ([text])  1 | born (integer)  1"])
  }

  @Test func `A difference beyond the compared lines is reported`() {
    let long = String(repeating: "line\n", count: ComparisonExtent.dialog.lines + 10)
    let comparison = compare(.text(long), .text(long + "a"), .text(long + "b"))
    #expect(comparison.rows.last?.isDifferent == true)
    #expect(comparison.rows.count <= ComparisonExtent.dialog.lines + 2)
  }

  @Test func `Many long lines are not compared completely`() {
    func text(_ letter: String) -> StoredValue {
      .text(String(repeating: String(repeating: letter, count: 1_500) + "\n", count: 400))
    }
    let comparison = compare(text("a"), text("b"), text("c"))
    for side in [\ValueComparison.Row.before, \.left, \.right] {
      let lines = comparison.rows.compactMap { $0[keyPath: side]?.text }
      #expect(lines.reduce(0) { $0 + $1.count } <= ComparisonExtent.dialog.text + 1_700)
      #expect(lines.last?.hasPrefix("… ") == true)
      #expect(lines.last?.hasSuffix("bytes are not compared line by line, and differ") == true)
    }
  }

  @Test func `Texts without common parts are not compared word by word to the end`() {
    func text(_ letter: String) -> StoredValue {
      let words = (0..<50).map { "\(letter)\($0)" }.joined(separator: " ")
      return .text((0..<400).map { "\(words) \($0) \(letter)" }.joined(separator: "\n"))
    }
    let comparison = compare(text("a"), text("b"), text("c"))
    #expect(comparison.comparisons >= 0)
    #expect(comparison.rows.count == 400)
    let parts = comparison.rows.compactMap(\.left?.parts.count)
    #expect(parts.first.map { $0 > 1 } == true)
    #expect(parts.last == 1)
    #expect(parts.filter { $0 > 1 }.count < 20)
    #expect(comparison.rows.last?.left?.parts.first?.isChanged == true)
  }

  @Test func `Values with equal text but different types are reported`() {
    let comparison = ValueComparison(.integer(42), .text("42"), names: .two("a", "b"))
    #expect(
      comparison.rows.last?.left?.text == "… the same as integer on one side and text on the other")
    #expect(comparison.rows.last?.isDifferent == true)
  }

  @Test func `Large JSON texts are compared as structures`() {
    func text(_ last: Int) -> StoredValue {
      let members = (0..<60_000).map { "{\"number\":\($0 % 10)}" }.joined(separator: ",")
      return .text("[{\"last\":\(last)},\(members)]")
    }
    let comparison = ValueComparison(text(1), text(2), names: .two("a", "b"))
    let different = comparison.rows.filter(\.isDifferent)
    #expect(different.first?.left?.text.trimmingPrefix("    ") == "\"last\": 1")
    #expect(different.first?.right?.text.trimmingPrefix("    ") == "\"last\": 2")
  }

  @Test func `One changed line among thousands is found`() {
    let lines = (0..<20_000).map { "line \($0 % 700)" }
    var other = lines
    other[12_345] = "something else"
    other.insert("new", at: 100)
    let comparison = ValueComparison(
      .text(lines.joined(separator: "\n")), .text(other.joined(separator: "\n")),
      names: .two("a", "b"))
    #expect(comparison.rows.count == 20_001)
    let different = comparison.rows.filter(\.isDifferent)
    #expect(different.map { $0.right?.text } == ["new", "something else"])
  }

  @Test func `Completely different texts are truncated with a note`() {
    func text(_ letter: String) -> StoredValue {
      .text((0..<30_000).map { "\(letter)\($0)" }.joined(separator: "\n"))
    }
    let comparison = ValueComparison(text("a"), text("b"), names: .two("a", "b"))
    #expect(comparison.rows.count == ComparisonExtent.view.differing + 1)
    #expect(comparison.rows.last?.left?.text == "… the rest differs too much to show")
    #expect(comparison.comparisons >= 0)
  }

  @Test func `Common rows of long sequences are in order on both sides`() {
    var random = SampleGenerator()
    for _ in 0..<20 {
      let range = 0...Int.random(in: 1...4_000, using: &random)
      let left = (0..<2_000).map { _ in Int.random(in: range, using: &random) }
      var right = left
      for _ in 0..<Int.random(in: 0...200, using: &random) {
        let place = right.indices.randomElement(using: &random) ?? 0
        if Bool.random(using: &random) {
          right.remove(at: place)
        } else {
          right.insert(-1, at: place)
        }
      }
      let common = SequenceDiff.of(left, right)
      #expect(common.allSatisfy { left[$0.0] == right[$0.1] }, "seed \(random.seed)")
      let isInOrder = zip(common, common.dropFirst()).allSatisfy { $0.0 < $1.0 && $0.1 < $1.1 }
      #expect(isInOrder, "seed \(random.seed)")
      #expect(common.count >= 1_800, "seed \(random.seed)")
    }
    let all = Array(0..<5_000)
    #expect(SequenceDiff.of(all, all).count == 5_000)
    #expect(SequenceDiff.of(all, all.reversed()).count == 1)
  }

  @Test func `Random values lose no line`() {
    var random = SampleGenerator()
    for _ in 0..<300 {
      let texts = (0..<3).map { _ in
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
          ["a", "b", "c", "d e", ""].randomElement(using: &random) ?? ""
        }.joined(separator: "\n")
      }
      let comparison = compare(.text(texts[0]), .text(texts[1]), .text(texts[2]))
      let sides: [KeyPath<ValueComparison.Row, ValueComparison.Line?>] = [
        \.before, \.left, \.right,
      ]
      for (side, text) in zip(sides, texts) {
        let lines = comparison.rows.compactMap { $0[keyPath: side]?.text }
        let whole = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        #expect(lines == whole, "seed \(random.seed): \(texts)")
      }
      #expect(comparison.rows.contains(where: \.isDifferent) == (Set(texts).count > 1))
    }
  }
}
