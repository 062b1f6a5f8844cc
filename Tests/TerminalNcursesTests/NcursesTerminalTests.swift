import CNcurses
import Foundation
import TerminalUI
import Testing

@testable import TerminalNcurses

/// Serialized because ncurses has global state.
@Suite(.serialized) @MainActor struct NcursesTerminalTests {
  @Test func everyAttributeArrives() throws {
    let place = try TerminalOnFiles()
    defer { place.close() }
    place.start()
    var screen = Screen(size: place.terminal.size)
    let expected: [(Attributes, attr_t)] = [
      (.bold, cn_a_bold()), (.dim, cn_a_dim()), (.italic, cn_a_italic()),
      (.underline, cn_a_underline()), (.reverse, cn_a_reverse()),
      (.strikethrough, cn_a_dim()), ([.bold, .reverse], cn_a_bold() | cn_a_reverse()),
    ]
    for (x, entry) in expected.enumerated() {
      screen.put("a", at: Point(x: x, y: 0), style: Style(attributes: entry.0))
    }
    place.terminal.present(screen)
    for (x, entry) in expected.enumerated() {
      let cell = place.cell(Int32(x), 0)
      #expect(cell.text == "a")
      #expect(cell.attributes & entry.1 == entry.1)
    }
  }

  @Test func `Wide and combining characters are in their columns`() throws {
    let place = try TerminalOnFiles()
    defer { place.close() }
    place.start()
    var screen = Screen(size: place.terminal.size)
    screen.put("日e\u{301}👨‍👩‍👧x🇪🇸\u{1b}", at: .origin)
    place.terminal.present(screen)
    #expect(place.cell(0, 0).text == "日")
    #expect(place.cell(2, 0).text.unicodeScalars.map(\.value) == [0x65, 0x301])
    #expect(place.cell(3, 0).text == "👨")
    #expect(place.cell(9, 0).text == "x")
    #expect(place.cell(10, 0).text == "🇪")
    #expect(place.cell(11, 0).text == "🇸")
    #expect(place.cell(12, 0).text == "␛")
    #expect(!place.written().contains("\u{200d}"))
  }

  @Test func `Pasted text arrives whole however it is split`() throws {
    let place = try TerminalOnFiles(writesToTerminal: true)
    defer { place.close() }
    place.start()
    let text = "абв日本👨‍👩‍👧é" + String(repeating: "я", count: 900)
    let bytes = Array("\u{1b}[200~\(text)\u{1b}[201~j".utf8)
    // All splits inside the last characters, and inside the sequences at both ends.
    for cut in Array(1..<60) + Array(bytes.count - 30..<bytes.count) where cut > 2 {
      let events = place.type(Array(bytes[..<cut])) + place.type(Array(bytes[cut...]))
      #expect(events == [.paste(text), .key(.character("j"))], "cut at \(cut)")
    }
    #expect(place.type("\u{1b}[200~").isEmpty)
    for byte in "ж日".utf8 { #expect(place.type([byte]).isEmpty) }
    #expect(place.type("\u{1b}[201~") == [.paste("ж日")])
  }

  @Test func `Bytes that are not UTF-8 do not affect others`() throws {
    let place = try TerminalOnFiles(writesToTerminal: true)
    defer { place.close() }
    place.start()
    let paste = Array("\u{1b}[200~A".utf8) + [0xE9] + Array("bcd\u{1b}[201~".utf8)
    #expect(place.type(paste) == [.paste("A\u{FFFD}bcd")])
    #expect(place.type([0xE9]).isEmpty)
    #expect(place.type("x") == [.key(.character("\u{FFFD}")), .key(.character("x"))])
    #expect(place.type([0xD0]).isEmpty)
    #expect(place.type("\u{1b}[A") == [.key(.character("\u{FFFD}")), .key(.up)])
  }

  @Test func `The Linux console gets characters whose widths agree`() throws {
    let place = try TerminalOnFiles(term: "linux")
    defer { place.close() }
    place.start()
    var screen = Screen(size: place.terminal.size)
    screen.put("日e\u{301}👨x\u{2E9A}é한", at: .origin)
    place.terminal.present(screen)
    let cells = [0, 2, 3, 5, 6, 7, 8].map { place.cell(Int32($0), 0).text }
    #expect(cells == ["日", "e", "〓", "x", "\u{FFFD}", "é", "한"])
  }

  @Test func `The Linux console gets no grey text`() throws {
    let place = try TerminalOnFiles(term: "linux")
    defer { place.close() }
    place.start()
    var screen = Screen(size: place.terminal.size)
    let grey: [Attributes] = [.dim, [.bold, .reverse], .strikethrough]
    for (x, attributes) in grey.enumerated() {
      screen.put("a", at: Point(x: x, y: 0), style: Style(attributes: attributes))
    }
    screen.put("a", at: Point(x: 3, y: 0), style: Style(attributes: .bold))
    place.terminal.present(screen)
    for x in 0..<Int32(grey.count) {
      #expect(place.cell(x, 0).attributes & (cn_a_dim() | cn_a_bold()) == 0, "\(x)")
    }
    #expect(place.cell(1, 0).attributes & cn_a_reverse() != 0)
    #expect(place.cell(3, 0).attributes & cn_a_bold() != 0)
  }

  @Test(arguments: [("xterm", true), ("xterm-256color", true), ("linux", false), ("vt100", false)])
  func terminalsWithAWindowAreAskedForTheirBackground(_ term: String, _ isAsked: Bool) throws {
    let place = try TerminalOnFiles(term: term)
    defer { place.close() }
    place.start()
    place.terminal.present(Screen(size: place.terminal.size))
    #expect(place.written().contains("\u{1b}]11;?") == isAsked)
  }

  /// Returns the URL and the text of each link in the output, without styles.
  private func links(_ written: String) -> [String] {
    written.components(separatedBy: "\u{1b}]8;id=").dropFirst().map { part in
      let pieces = part.components(separatedBy: "\u{1b}\\")
      let address = pieces[0].drop { $0 != ";" }.dropFirst()
      let text = pieces[1].components(separatedBy: "\u{1b}]8;;")[0]
        .replacing(/\u{1b}[\[(][0-9;]*[A-Za-z]/, with: "")
      return address + " " + text
    }
  }

  @Test func `Links are written with their URLs`() throws {
    let place = try TerminalOnFiles()
    defer { place.close() }
    place.start()
    var screen = Screen(size: place.terminal.size)
    let runs = [
      TextRun("see "), TextRun("http://a", link: "http://a.example/\u{1b}ü"), TextRun(" and more"),
    ]
    screen.put(runs, at: Point(x: 0, y: 1))
    screen.put([TextRun("日", link: "http://b")], at: Point(x: 38, y: 2))
    place.terminal.present(screen)
    #expect(links(place.written()) == ["http://a.example/%1B%C3%BC http://a", "http://b 日"])
    for (x, letter) in "see http://a and more".enumerated() {
      #expect(place.cell(Int32(x), 1).text == String(letter))
    }
    // Presenting the same screen again sends nothing.
    place.terminal.present(screen)
    #expect(place.written() == "")
    // If the row changes, ncurses may resend all of it.
    screen.put("SEE", at: Point(x: 0, y: 1))
    place.terminal.present(screen)
    #expect(links(place.written()) == ["http://a.example/%1B%C3%BC http://a"])
    // A removed link is sent again without its URL, although it looks the same.
    screen.put("http://a", at: Point(x: 4, y: 1))
    place.terminal.present(screen)
    let plain = place.written()
    #expect(links(plain) == [] && plain.contains("http://a"))
    // A link with a different URL is sent again as well.
    screen.put([TextRun("http://a", link: "http://c")], at: Point(x: 4, y: 1))
    place.terminal.present(screen)
    #expect(links(place.written()) == ["http://c http://a"])
  }

  @Test(arguments: ["linux", "vt100"])
  func `Links are plain text on terminals without links`(_ term: String) throws {
    let place = try TerminalOnFiles(term: term)
    defer { place.close() }
    place.start()
    var screen = Screen(size: place.terminal.size)
    screen.put([TextRun("http://a", link: "http://a")], at: .origin)
    place.terminal.present(screen)
    let written = place.written()
    #expect(written.contains("http://a") && !written.contains("]8;"))
  }

  @Test func `Characters unknown to the system are replaced at their width`() throws {
    let place = try TerminalOnFiles()
    defer { place.close() }
    place.start()
    var screen = Screen(size: place.terminal.size)
    // These are unassigned in the system's Unicode version, so their width is unknown.
    screen.put("\u{1FAE9}x\u{E01F0}y", at: .origin)
    place.terminal.present(screen)
    #expect(place.cell(0, 0).text == "〓")
    #expect(place.cell(2, 0).text == "x")
    #expect(place.cell(3, 0).text == "\u{FFFD}")
    #expect(place.cell(4, 0).text == "y")
  }

  @Test func theLastCellIsDrawn() throws {
    let place = try TerminalOnFiles(size: Size(width: 20, height: 5))
    defer { place.close() }
    place.start()
    var screen = Screen(size: place.terminal.size)
    screen.fill(screen.bounds, with: "#")
    place.terminal.present(screen)
    #expect(place.cell(19, 4).text == "#")
    #expect(place.cell(0, 0).text == "#")
  }

  @Test func `Sizes from one cell up work`() throws {
    for size in [(1, 1), (2, 1), (1, 3), (20, 6), (200, 60)] {
      let place = try TerminalOnFiles(size: Size(width: size.0, height: size.1))
      defer { place.close() }
      place.start()
      for other in [size, (0, 0), (300, 100)] {
        var screen = Screen(size: Size(width: other.0, height: other.1))
        screen.fill(screen.bounds, with: "日")
        screen.put("日本語", at: .origin)
        screen.cursor = Point(x: 500, y: -3)
        place.terminal.present(screen)
      }
    }
  }

  @Test func `More color pairs than the table can hold`() throws {
    let place = try TerminalOnFiles(size: Size(width: 100, height: 50))
    defer { place.close() }
    place.start()
    for round in 0..<3 {
      var screen = Screen(size: place.terminal.size)
      var expected: Set<Int32> = []
      for index in 0..<300 {
        let style = Style(
          foreground: .indexed(UInt8(index % 256)),
          background: .indexed(UInt8((index / 256 + round * 7) % 256)))
        screen.put("x", at: Point(x: index % 100, y: index / 100), style: style)
      }
      place.terminal.present(screen)
      for index in 0..<300 {
        expected.insert(place.cell(Int32(index % 100), Int32(index / 100)).pair)
      }
      #expect(expected.count == 300)
    }
  }

  @Test func `A full table is cleared`() throws {
    let place = try TerminalOnFiles()
    defer { place.close() }
    place.start()
    var styles = NcursesStyles(depth: .indexed256, numbering: .table, pairLimit: 4)
    for round in UInt8(0)..<20 {
      let style = Style(foreground: .indexed(round))
      let hadRoom = styles.makeRoom(for: [style])
      #expect(hadRoom == (round == 0 || !round.isMultiple(of: 4)))
      #expect((1...4).contains(styles.values(for: style).pair))
    }
  }

  private func frame(_ text: String) -> Screen {
    var screen = Screen(size: Size(width: 40, height: 10))
    screen.put(text, at: .origin, style: .plain)
    return screen
  }

  @Test(arguments: [("1", true), ("2", true), ("0", false), ("3", false), ("4", false)])
  func `Frames are marked if the terminal can`(_ state: String, _ isMarked: Bool) throws {
    let place = try TerminalOnFiles()
    defer { place.close() }
    place.start()
    place.terminal.present(frame("one"))
    let first = place.written()
    #expect(first.contains("\u{1b}[?2026$p"))
    #expect(!first.contains("\u{1b}[?2026h"), "nothing waits for the answer")
    #expect(place.type("\u{1b}[?2026;\(state)$y").isEmpty)
    place.terminal.present(frame("two"))
    let second = place.written()
    #expect(second.hasPrefix("\u{1b}[?2026h") == isMarked)
    #expect(second.hasSuffix("\u{1b}[?2026l") == isMarked)
    place.terminal.present(frame("two"))
    #expect(place.written().isEmpty)
  }

  @Test(arguments: ["linux", "vt100", "xterm-256color"])
  func `A terminal without an answer gets no marks`(_ term: String) throws {
    let place = try TerminalOnFiles(term: term)
    defer { place.close() }
    place.start()
    place.terminal.present(frame("one"))
    place.terminal.present(frame("two"))
    let written = place.written()
    #expect(!written.contains("\u{1b}[?2026h"))
    #expect(written.contains("\u{1b}[?2026$p") == (term == "xterm-256color"))
  }

  @Test func nothingIsWrittenWhenNothingChanged() throws {
    let place = try TerminalOnFiles()
    defer { place.close() }
    place.start()
    var screen = Screen(size: place.terminal.size)
    screen.title = "first"
    for y in 0..<10 { screen.put("row \(y) of the list", at: Point(x: 0, y: y)) }
    place.terminal.present(screen)
    #expect(place.written().contains("\u{1b}]2;first\u{7}"))
    place.terminal.present(screen)
    #expect(place.written() == "")
    screen.put("CHANGED", at: Point(x: 4, y: 3))
    place.terminal.present(screen)
    let change = place.written()
    #expect(change.contains("CHANGED"))
    #expect(change.utf8.count < 40)
  }

  @Test func `Titles cannot terminate their escape sequence`() throws {
    let place = try TerminalOnFiles()
    defer { place.close() }
    place.start()
    var screen = Screen(size: place.terminal.size)
    screen.title = "x\u{7}\u{1b}]52;c;AAAA\u{7}\u{9c}"
    place.terminal.present(screen)
    #expect(place.written().contains("\u{1b}]2;x␇␛]52;c;AAAA␇\\u{9c}\u{7}"))
  }

  @Test func `The terminal is restored and can be started again`() throws {
    let place = try TerminalOnFiles()
    defer { place.close() }
    for _ in 0..<2 {
      place.start()
      let begin = place.written()
      #expect(begin.contains("\u{1b}[?1049h"))
      #expect(begin.contains("\u{1b}[?2004h"))
      place.terminal.present(Screen(size: place.terminal.size))
      place.terminal.stop()
      let end = place.written()
      #expect(end.contains("\u{1b}[?1049l"))
      #expect(end.contains("\u{1b}[?2004l"))
      #expect(end.contains("\u{1b}[?1002l"))
      place.terminal.present(Screen(size: place.terminal.size))
      place.terminal.stop()
      #expect(place.written() == "")
    }
  }

  @Test func `Suspending restores the terminal, and resuming the screen`() throws {
    let place = try TerminalOnFiles()
    defer { place.close() }
    place.start()
    var screen = Screen(size: place.terminal.size)
    screen.put("still here", at: .origin)
    place.terminal.present(screen)
    _ = place.written()
    var whileStopped = ""
    place.terminal.suspend { whileStopped = place.written() }
    #expect(whileStopped.contains("\u{1b}[?1049l"))
    let after = place.written()
    #expect(after.contains("\u{1b}[?1049h"))
    #expect(after.contains("still here"))
  }

  @Test func `Text is copied to the clipboard`() throws {
    let place = try TerminalOnFiles()
    defer { place.close() }
    #expect(!place.terminal.copy("not started"))
    place.start()
    _ = place.written()
    #expect(place.terminal.copy("héllo"))
    #expect(place.written() == "\u{1b}]52;c;aMOpbGxv\u{7}")
    // Text beyond the limit is not sent, as terminals would drop it.
    let most = TerminalClipboard.capacity
    #expect(place.terminal.copy(String(repeating: "x", count: most)))
    #expect(place.written().utf8.count < 75_100)
    #expect(!place.terminal.copy(String(repeating: "x", count: most + 1)))
    #expect(place.written().isEmpty)
  }

  @Test func keysArriveThroughNcurses() throws {
    let place = try TerminalOnFiles(writesToTerminal: true)
    defer { place.close() }
    place.start()
    #expect(
      place.type("a\u{1b}OA\u{1b}[1;5C日") == [
        .key(.character("a")), .key(.up), .key(Key(.right, modifiers: .control)),
        .key(.character("日")),
      ])
    #expect(
      place.type("\u{3}\u{1a}\u{11}\r\t\u{7f}") == [
        .key(.control("c")), .key(.control("z")), .key(.control("q")), .key(.enter), .key(.tab),
        .key(.backspace),
      ])
    #expect(place.type("\u{1b}") == [.key(.escape)])
    #expect(place.type("\u{1b}x\u{1b}\u{e9}") == [.key(.alt("x")), .key(.alt("é"))])
    #expect(
      place.type("\u{1b}[200~a\rb\u{1b}[Ac\u{1b}[201~d") == [
        .paste("a\nb\u{1b}[Ac"), .key(.character("d")),
      ])
    #expect(
      place.type("\u{1b}[<0;5;3M\u{1b}[<65;1;1M") == [
        .mouse(MouseEvent(.press(.left), at: Point(x: 4, y: 2))),
        .mouse(MouseEvent(.wheelDown, at: .origin)),
      ])
  }

  @Test func `A closed terminal is reported once`() async throws {
    let place = try TerminalOnFiles()
    defer { place.terminal.stop() }
    place.start()
    #expect(await place.hangUp() == [.closed(.hangUp)])
    for _ in 0..<100 { await Task.yield() }
    #expect(place.events == [.closed(.hangUp)])
  }
}
