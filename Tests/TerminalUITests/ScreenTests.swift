import Testing

@testable import TerminalUI

@Suite struct ScreenTests {
  let bold = Style(attributes: .bold)

  func screen(_ width: Int, _ height: Int) -> Screen {
    Screen(size: Size(width: width, height: height))
  }

  @Test func textIsCutAtTheEdges() {
    var screen = screen(5, 1)
    #expect(screen.put("abcdefgh", at: Point(x: 2, y: 0)) == 3)
    #expect(screen.rows == ["  abc"])
    #expect(screen.put("xyz", at: Point(x: -1, y: 0)) == 3)
    #expect(screen.rows == ["yzabc"])
    #expect(screen.put("12345", at: .origin, maxWidth: 2) == 2)
    #expect(screen.rows == ["12abc"])
    #expect(screen.put("no", at: Point(x: 0, y: 1)) == 0)
    #expect(screen.put("no", at: Point(x: 9, y: 0)) == 0)
  }

  @Test func `Wide characters are drawn whole or not at all`() {
    var screen = screen(5, 1)
    #expect(screen.put("日本語", at: .origin) == 4)
    #expect(screen.rows == ["日本 "])
    screen.put("x", at: Point(x: 1, y: 0))
    #expect(screen.rows == [" x本 "])
    screen.put("y", at: Point(x: 2, y: 0))
    #expect(screen.rows == [" xy  "])
    screen.put("日", at: Point(x: -1, y: 0))
    #expect(screen.rows == [" xy  "])
    screen.put("日", at: Point(x: 1, y: 0))
    #expect(screen.rows == [" 日  "])
    #expect(screen[Point(x: 1, y: 0)] == Cell(text: "日", width: 2, style: .plain))
    #expect(screen[Point(x: 2, y: 0)] == Cell(text: "", width: 0, style: .plain))
    #expect(screen[Point(x: 5, y: 0)] == nil)
  }

  @Test func runsFollowEachOther() {
    var screen = screen(8, 1)
    let runs = [TextRun("ab"), TextRun("日", style: bold), TextRun("cdefgh")]
    #expect(screen.put(runs, at: Point(x: 1, y: 0), maxWidth: 6) == 6)
    #expect(screen.rows == [" ab日cd "])
    #expect(screen.styleRuns == [Screen.StyleRun(row: 0, columns: 3..<5, style: bold)])
  }

  @Test func bordersFitAnySize() {
    var screen = screen(12, 3)
    screen.border(screen.bounds, title: "Keys")
    #expect(screen.rows == ["┌ Keys ────┐", "│          │", "└──────────┘"])
    for width in 0..<6 {
      for height in 0..<4 {
        var small = Screen(size: Size(width: width, height: height))
        small.border(Rect(x: -1, y: -1, width: width + 2, height: height + 2), title: "日本語")
        small.border(small.bounds, title: "日本語")
        #expect(small.rows.allSatisfy { TextWidth.of($0) == width })
      }
    }
  }

  @Test func `Drawing at any position never traps`() {
    let numbers = [Int.min, -5, -1, 0, 1, 3, 100, Int.max]
    for size in [Size(width: 1, height: 1), Size(width: 3, height: 2), .zero] {
      var screen = Screen(size: size)
      for x in numbers {
        for y in numbers {
          let point = Point(x: x, y: y)
          screen.put("a日e\u{301}\u{1b}", at: point)
          screen.put("plain", at: point, maxWidth: y)
          screen.put([TextRun("日"), TextRun("b")], at: point, maxWidth: x)
          let rect = Rect(x: x, y: y, width: y, height: x)
          screen.fill(rect, with: "日")
          screen.setStyle(rect, bold)
          screen.border(rect, title: "t")
          screen.horizontalLine(at: point, length: x)
          screen.verticalLine(at: point, length: y)
        }
      }
      #expect(screen.rows.allSatisfy { TextWidth.of($0) == size.width })
    }
  }

  @Test func `Rows differ if a cell does`() {
    var first = screen(6, 3)
    first.put("日e\u{301}", at: Point(x: 0, y: 1))
    var second = screen(6, 3)
    // Drawing in a different order creates different cluster numbers.
    second.put("o\u{308}", at: Point(x: 0, y: 2))
    second.put("o", at: Point(x: 0, y: 2))
    second.put(" ", at: Point(x: 0, y: 2))
    second.put("日e\u{301}", at: Point(x: 0, y: 1))
    #expect(first.rows(differentFrom: second) == [])
    second.put("x", at: Point(x: 5, y: 2))
    #expect(first.rows(differentFrom: second) == [2])
    second.setStyle(Rect(x: 0, y: 0, width: 1, height: 1), Style(foreground: .ansi(.red)))
    #expect(first.rows(differentFrom: second) == [0, 2])
    #expect(first.rows(differentFrom: nil) == [0, 1, 2])
    #expect(first.rows(differentFrom: screen(5, 3)) == [0, 1, 2])
    #expect(first.rows(differentFrom: screen(6, 1)) == [1, 2])
  }

  @Test func `Links last until they are overdrawn`() {
    var screen = screen(10, 1)
    screen.put([TextRun("ab"), TextRun("日c", link: "http://x")], at: .origin)
    #expect(screen.links(ofRow: 0).map(\.columns) == [2..<5])
    #expect(screen[Point(x: 3, y: 0)]?.link == "http://x")
    var other = Screen(size: screen.size)
    other.put([TextRun("y", link: "http://y")], at: .origin)
    other.put([TextRun("ab"), TextRun("日c", link: "http://x")], at: .origin)
    #expect(screen == other && other.rows(differentFrom: screen) == [])
    other.put("c", at: Point(x: 4, y: 0))
    #expect(other.rows(differentFrom: screen) == [0])
    #expect(other.links(ofRow: 0).map(\.columns) == [2..<4])
    #expect(other.links(ofRow: 7) == [])
    // More URLs than a screen can hold.
    var many = Screen(size: Size(width: 300, height: 1))
    for x in 0..<300 { many.put([TextRun("x", link: "\(x)")], at: Point(x: x, y: 0)) }
    #expect(many.links(ofRow: 0).count == 255)
    #expect(MemoryLayout<PackedCell>.stride == 16)
  }

  @Test func screensAreEqualIfTheyLookAlike() {
    var first = screen(6, 1)
    var second = screen(6, 1)
    first.put("e\u{301}o\u{308}", at: .origin)
    second.put("o\u{308}", at: Point(x: 1, y: 0))
    second.put("e\u{301}", at: .origin)
    #expect(first == second)
    second.put("e\u{300}", at: .origin)
    #expect(first != second)
    #expect(first.rows(differentFrom: second) == [0])
    second = first
    second.cursor = .origin
    #expect(first != second)
  }

  @Test func snapshotsShowRowsThenStyles() {
    var screen = screen(6, 2)
    screen.put("one", at: .origin, style: bold)
    screen.put("two", at: Point(x: 3, y: 1), style: Style(foreground: .ansi(.red)))
    screen.cursor = Point(x: 1, y: 0)
    screen.title = "a\u{7}"
    #expect(
      screen.snapshot() == """
        |one   |
        |   two|
        cursor 1, 0
        title a␇
        row 0, 0..<3: bold
        row 1, 3..<6: red

        """)
    #expect(
      screen.snapshot { $0 == bold ? "title" : nil } == """
        |one   |
        |   two|
        cursor 1, 0
        title a␇
        row 0, 0..<3: title

        """)
    #expect(screen.description == "|one   |\n|   two|")
  }

  @Test func hugeSizesAreLimited() {
    #expect(Screen(size: Size(width: .max, height: 1)).size == Size(width: 4096, height: 1))
  }

  @Test func cellsAreSmall() {
    #expect(MemoryLayout<PackedCell>.stride <= 16)
  }
}

@Suite @MainActor struct InMemoryTerminalTests {
  @Test func `An in-memory terminal forwards its events`() {
    let terminal = InMemoryTerminal(size: Size(width: 4, height: 2))
    var events: [TerminalEvent] = []
    terminal.press(.enter)
    terminal.start { events.append($0) }
    terminal.type("a\n")
    terminal.press(.up)
    terminal.send(.paste("x"))
    terminal.resize(to: Size(width: 5, height: 5))
    #expect(
      events == [
        .key(.character("a")), .key(.enter), .key(.up), .paste("x"),
        .resized(Size(width: 5, height: 5)),
      ])
    let screen = Screen(size: terminal.size)
    terminal.present(screen)
    terminal.copy("text")
    terminal.suspend()
    #expect(terminal.screen == screen)
    #expect(terminal.presentCount == 1)
    #expect(terminal.copies == ["text"])
    #expect(terminal.suspendCount == 1)
    terminal.stop()
    terminal.press(.down)
    terminal.present(screen)
    #expect(events.count == 5)
    #expect(terminal.presentCount == 1)
  }
}
