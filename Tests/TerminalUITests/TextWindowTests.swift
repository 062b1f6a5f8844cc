import Testing

@testable import TerminalUI

@Suite struct TextWindowTests {
  @Test func `Lines break at blanks and line ends`() {
    let window = TextWindow("one two three\nfour\r\n\nlast", width: 8)
    let rows = window.rows(from: 0, count: 100)
    #expect(rows.map(\.text) == ["one two ", "three", "four", "", "last"])
    #expect(rows.map(\.isContinuation) == [false, true, false, false, false])
  }

  @Test func `Lines break anywhere on request or if necessary`() {
    #expect(TextWindow("abcdef", width: 4).rows(from: 0, count: 9).map(\.text) == ["abcd", "ef"])
    let window = TextWindow("ab cdef", width: 4, breaking: .characters)
    #expect(window.rows(from: 0, count: 9).map(\.text) == ["ab c", "def"])
    #expect(TextWindow("日本語", width: 1).rows(from: 0, count: 9).map(\.text) == ["日", "本", "語"])
  }

  @Test func `An empty text and a final line end have a row`() {
    #expect(TextWindow("", width: 4).rows(from: 0, count: 9).map(\.text) == [""])
    #expect(TextWindow("a\n", width: 4).rows(from: 0, count: 9).map(\.text) == ["a", ""])
    #expect(TextWindow("a", width: 4).rows(from: 0, count: 0).isEmpty)
  }

  @Test func `Tabs become blanks and control characters are escaped`() {
    let window = TextWindow("a\tb\u{1b}", width: 40, tabWidth: 4)
    #expect(window.rows(from: 0, count: 1).map(\.text) == ["a   b␛"])
  }

  @Test(arguments: [TextWindow.Breaking.words, .characters])
  func `Rows cover the text from any start`(breaking: TextWindow.Breaking) {
    var generator = SeededGenerator(seed: 11)
    let pieces = ["word", " ", "日本", "\n", "\r\n", "\t", "e\u{301}", "👨‍👩‍👧", "longerword", "\u{1b}"]
    for width in [1, 2, 3, 7, 20] {
      var text = ""
      for _ in 0..<80 { text += pieces.randomElement(using: &generator) ?? "" }
      let window = TextWindow(text, width: width, breaking: breaking)
      let rows = window.rows(from: 0, count: .max)
      #expect(rows.last?.next == window.count)
      #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.next == $1.range.lowerBound })
      for (index, row) in rows.enumerated() {
        #expect(window.rows(from: row.range.lowerBound, count: 3).first == row)
        #expect(window.start(of: row.range.lowerBound) == row.range.lowerBound)
        let forward = window.offset(row.range.lowerBound, movedBy: 4)
        #expect(forward == rows[min(index + 4, rows.count - 1)].range.lowerBound)
        let back = window.offset(row.range.lowerBound, movedBy: -4)
        #expect(back == rows[max(index - 4, 0)].range.lowerBound)
      }
    }
  }

  @Test(arguments: ["x", "日", "e\u{301}", "word and "])
  func `Huge lines are broken at fixed positions`(piece: String) {
    let text = String(repeating: piece, count: 140_000 / piece.utf8.count)
    for text in [
      text, "short\n" + text + "\nend", String(repeating: "z", count: 65_530) + "\n" + text,
    ] {
      let window = TextWindow(text, width: 500)
      let rows = window.rows(from: 0, count: .max)
      #expect(rows.last?.next == window.count)
      for row in [rows.count - 2, 132]
      where row > 0 && row < rows.count {
        #expect(window.rows(from: rows[row].range.lowerBound, count: 1) == [rows[row]])
        #expect(window.start(of: rows[row].range.lowerBound) == rows[row].range.lowerBound)
        #expect(
          window.offset(rows[row].range.lowerBound, movedBy: -1) == rows[row - 1].range.lowerBound)
      }
    }
  }

  @Test func `Positions outside the text are clamped`() {
    let window = TextWindow("one\ntwo", width: 10)
    #expect(window.rows(from: -5, count: 1).map(\.text) == ["one"])
    #expect(window.rows(from: 500, count: 1).map(\.text) == ["two"])
    #expect(window.offset(0, movedBy: .min) == 0)
    #expect(window.offset(0, movedBy: .max) == 4)
  }

  @Test func aScreenfulOfAHugeTextIsQuick() {
    let text = String(repeating: "some line of a log file\n", count: 1_000_000)
    let window = TextWindow(text, width: 80)
    // Each of these calls would take seconds if it read the whole text.
    for place in stride(from: 0, to: window.count, by: window.count / 200) {
      #expect(window.rows(from: place, count: 40).count <= 40)
    }
  }
}
