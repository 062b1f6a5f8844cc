import Testing

@testable import TerminalUI

@Suite struct WidgetTests {
  func screen(_ width: Int, _ height: Int) -> Screen {
    Screen(size: Size(width: width, height: height))
  }

  @Test func scrollbarsTouchTheEndsOnlyAtTheEnds() {
    #expect(Scrollbar(total: 10, offset: 0, visible: 10).thumb(length: 10) == nil)
    #expect(Scrollbar(total: 100, offset: 0, visible: 10).thumb(length: 10) == 0..<1)
    #expect(Scrollbar(total: 100, offset: 1, visible: 10).thumb(length: 10) == 1..<2)
    #expect(Scrollbar(total: 100, offset: 89, visible: 10).thumb(length: 10) == 8..<9)
    #expect(Scrollbar(total: 100, offset: 90, visible: 10).thumb(length: 10) == 9..<10)
    let numbers = [Int.min, -1, 0, 1, 5, Int.max]
    for total in numbers {
      for offset in numbers {
        for visible in numbers {
          for length in [0, 1, 2, 7] {
            let thumb = Scrollbar(total: total, offset: offset, visible: visible)
              .thumb(length: length)
            #expect(thumb.map { $0.lowerBound >= 0 && $0.upperBound <= length } ?? true)
          }
        }
      }
    }
  }

  @Test func `Hints are shown whole or not at all`() {
    let line = HintLine([
      .init(key: "q", label: "quit"), .init(key: "/", label: "filter"),
      .init(key: "?", label: "help"),
    ])
    var screen = screen(17, 1)
    let width = line.draw(
      on: &screen, at: .origin, width: 17, keyStyle: Style(attributes: .bold), labelStyle: .plain)
    #expect(screen.rows == ["q quit  / filter "])
    #expect(width == 16)
    #expect(line.fitting(width: 0).isEmpty)
    #expect(line.fitting(width: 100).count == 3)
  }

  @Test func `Pinned hints stay when others are dropped`() {
    let hints = ["a", "b", "c", "?", "q"].map { HintLine.Hint(key: $0, label: "word") }
    let line = HintLine(hints, pinnedCount: 2)
    func shown(_ width: Int) -> String { line.fitting(width: width).map(\.key).joined() }
    // Each hint takes six cells, with two cells between hints.
    #expect(shown(38) == "abc?q")
    #expect(shown(37) == "ab?q")
    #expect(shown(22) == "a?q")
    #expect(shown(21) == "?q")
    #expect(shown(14) == "?q")
    #expect(shown(13) == "a")
    #expect(shown(5) == "")
    #expect(HintLine([], pinnedCount: 2).fitting(width: 9).isEmpty)
  }

  @Test func `Fields keep their cursor visible`() {
    let text = "abcdefghij"
    for width in 1..<14 {
      for cursor in -1...12 {
        let visible = TextField(text: text, cursor: cursor).visible(width: width)
        #expect(visible.cursor < width)
        #expect(TextWidth.of(visible.text) <= width)
      }
    }
    #expect(TextField(text: text, cursor: 10).visible(width: 5) == ("ghij", 4))
    #expect(TextField(text: text, cursor: 2).visible(width: 5) == ("abcde", 2))
    #expect(TextField(text: "日本語", cursor: 2).visible(width: 5) == ("本語", 2))
    #expect(TextField(text: text, cursor: 2).visible(width: 0) == ("", 0))
  }

  @Test func fieldsDrawTextOrPlaceholder() {
    var screen = screen(8, 1)
    let dim = Style(attributes: .dim)
    let empty = TextField(text: "", cursor: 0, placeholder: "filter by")
    #expect(
      empty.draw(on: &screen, at: .origin, width: 8, style: .plain, placeholderStyle: dim)
        == .origin)
    #expect(screen.rows == ["filter …"])
    let field = TextField(text: "a\u{1b}b", cursor: 3)
    #expect(
      field.draw(on: &screen, at: Point(x: 1, y: 0), width: 6, style: .plain)
        == Point(x: 4, y: 0))
    #expect(screen.rows == ["fa␛b   …"])
    #expect(field.draw(on: &screen, at: Point(x: 50, y: 50), width: 6, style: .plain) == nil)
  }

  @Test func `Dialogs are centred`() {
    var screen = screen(30, 8)
    let dialog = Dialog(
      title: "Delete", text: "Delete 3 entries?\nThis cannot be undone.", style: .plain,
      hints: [.init(key: "y", label: "delete"), .init(key: "Esc", label: "keep")])
    let inside = dialog.draw(on: &screen, in: screen.bounds, look: .init(theme: .default))
    #expect(
      screen.rows == [
        "                              ",
        "                              ",
        "  ╭ Delete ────────────────╮  ",
        "  │ Delete 3 entries?      │  ",
        "  │ This cannot be undone. │  ",
        "  ╰──── y delete  Esc keep ╯  ",
        "                              ",
        "                              ",
      ])
    #expect(inside == Rect(x: 4, y: 3, width: 22, height: 2))
  }

  @Test func everythingIsDrawnAtAnySize() {
    let dialog = Dialog(
      title: "日本語 title", text: "some long text that has to be wrapped \u{1b}[31m", style: .plain,
      hints: [.init(key: "q", label: "quit")], maxWidth: 20)
    for width in 0..<12 {
      for height in 0..<8 {
        var screen = screen(width, height)
        for bounds in [screen.bounds, Rect(x: -3, y: 2, width: 9, height: 9)] {
          dialog.draw(on: &screen, in: bounds, look: .init(theme: .monochrome, isDanger: true))
          dialog.hints.draw(
            on: &screen, at: .origin, width: width, keyStyle: .plain, labelStyle: .plain)
          Scrollbar(total: 50, offset: 7, visible: height).draw(
            on: &screen, in: bounds, style: .plain)
          _ = TextField(text: "日本", cursor: 1).draw(
            on: &screen, at: .origin, width: width, style: .plain)
        }
        #expect(screen.rows.allSatisfy { TextWidth.of($0) == width })
      }
    }
  }
}
