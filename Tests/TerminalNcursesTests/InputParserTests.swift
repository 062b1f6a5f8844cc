import TerminalUI
import Testing

@testable import TerminalNcurses

@Suite struct InputParserTests {
  /// Returns the events of texts that arrive one after the other, each in one piece.
  func parse(_ texts: String...) -> [TerminalEvent] {
    var parser = InputParser()
    return texts.flatMap { text in parser.parse(text.unicodeScalars.map { .scalar($0) }) }
  }

  @Test(arguments: [
    ("\u{1b}[A", "Up"), ("\u{1b}OB", "Down"), ("\u{1b}[1;2D", "Shift-Left"),
    ("\u{1b}[1;5H", "Ctrl-Home"), ("\u{1b}[1;7F", "Ctrl-Alt-End"), ("\u{1b}[3;5~", "Ctrl-Delete"),
    ("\u{1b}[5~", "PgUp"), ("\u{1b}[6;3~", "Alt-PgDn"), ("\u{1b}[15~", "F5"),
    ("\u{1b}[24;2~", "Shift-F12"), ("\u{1b}OP", "F1"), ("\u{1b}[1;5S", "Ctrl-F4"),
    ("\u{1b}[Z", "Shift-Tab"), ("\u{1b}[97;5u", "Ctrl-A"), ("\u{1b}[27;5;105~", "Ctrl-I"),
    ("\u{1b}[9;2u", "Shift-Tab"), ("\0", "Ctrl-Space"), ("\u{1}", "Ctrl-A"), ("\r", "Enter"),
    ("\u{1f}", "Ctrl-_"), ("\u{1b}\r", "Alt-Enter"), ("\u{1b}[", "Alt-["), ("\u{1b}O", "Alt-O"),
    ("\u{1b}\u{1}", "Ctrl-Alt-A"), ("e\u{301}", "e\u{301}"), ("\n", "Ctrl-J"),
  ])
  func sequencesAreKeys(text: String, key: String) throws {
    #expect(parse(text) == [.key(try #require(Key(key)))])
  }

  @Test func charactersStaySeparateUnlessTheyJoin() {
    #expect(parse("ab") == [.key(.character("a")), .key(.character("b"))])
    #expect(parse("\u{1b}\u{1b}[A") == [.key(.escape), .key(.up)])
    #expect(parse("\u{1b}", "x") == [.key(.escape), .key(.character("x"))])
  }

  @Test func `Unknown sequences are ignored`() {
    #expect(parse("\u{1b}[?62;4cx") == [.key(.character("x"))])
    #expect(parse("\u{1b}[I\u{1b}[999~\u{1b}[<0;;M\u{1b}[<9;9M").isEmpty)
    #expect(parse("\u{1b}[1;", "5A") == [.key(Key(.up, modifiers: .control))])
  }

  @Test(
    arguments: [
      ("rgb:1a1a/1d1d/2424\u{1b}\\", RGB(red: 0x1a, green: 0x1d, blue: 0x24)),
      ("rgb:ff/00/80\u{7}", RGB(red: 255, green: 0, blue: 128)),
      ("rgb:f/0/8\u{7}", RGB(red: 255, green: 0, blue: 136)),
      ("rgba:ffff/ffff/ffff/8000\u{7}", RGB(red: 255, green: 255, blue: 255)),
    ])
  func anAnswerAboutTheBackgroundIsAColor(_ answer: String, _ color: RGB) {
    #expect(
      parse("\u{1b}]11;\(answer)x") == [.background(color), .key(.character("x"))])
  }

  @Test func `A fragmented answer is one answer`() {
    var parser = InputParser()
    parser.isAwaitingBackground = true
    parser.isAwaitingFrames = true
    let answer = "\u{1b}]11;rgb:ffff/0000/0000\u{1b}\\"
    var events: [TerminalEvent] = []
    // The first two characters are together because ESC alone would be the Escape key.
    let pieces = [String(answer.prefix(2))] + answer.dropFirst(2).map { String($0) }
    for piece in pieces { events += parser.parse(piece.unicodeScalars.map { .scalar($0) }) }
    #expect(events == [.background(RGB(red: 255, green: 0, blue: 0))])
    #expect(!parser.isAwaitingBackground)
  }

  @Test(arguments: [
    ("]11;rgb:0000/0000/ffff\u{1b}\\", TerminalEvent.background(RGB(red: 0, green: 0, blue: 255))),
    ("]11;rgb:0000/0000/ffff\u{7}", .background(RGB(red: 0, green: 0, blue: 255))),
    ("[?2026;2$y", nil),
  ])
  func anAnswerWhoseEscapeCameAloneIsNotTyped(_ rest: String, _ meaning: TerminalEvent?) {
    var parser = InputParser()
    parser.isAwaitingBackground = true
    parser.isAwaitingFrames = true
    // It may have been the key, so it is not held back.
    #expect(parser.parse([.scalar("\u{1b}")]) == [.key(.escape)])
    let events = parser.parse(rest.unicodeScalars.map { .scalar($0) })
    #expect(events == [meaning].compactMap { $0 })
    // Later input is parsed as typed.
    #expect(parser.parse([.scalar("]")]) == [.key(.character("]"))])
  }

  @Test func `A key after Esc is a separate key while an answer is awaited`() {
    var parser = InputParser()
    parser.isAwaitingBackground = true
    #expect(parser.parse([.scalar("\u{1b}")]) == [.key(.escape)])
    #expect(parser.parse([.scalar("]")]) == [.key(.character("]"))])
  }

  @Test func `Unrequested answers are ignored`() {
    #expect(parse("\u{1b}]52;c;QQ==\u{7}x") == [.key(.character("x"))])
    #expect(parse("\u{1b}]11;rgb:zz/0/0\u{7}\u{1b}]11;rgb:0/0\u{7}").isEmpty)
    #expect(parse("\u{1b}]11;rgb:00000/0/0\u{7}").isEmpty)
    #expect(parse("\u{1b}]") == [.key(.alt("]"))])
    #expect(parse("\u{1b}]11;\u{1b}[A") == [.key(.up)])
  }

  @Test func `Pasted text arrives as a whole`() {
    #expect(
      parse("\u{1b}[200~one\r\ntwo\rthree\u{1b}", "[201", "~x")
        == [.paste("one\ntwo\nthree"), .key(.character("x"))])
    #expect(parse("\u{1b}[200~\u{1b}[201~") == [.paste("")])
    let long = String(repeating: "long ", count: 50_000)
    #expect(parse("\u{1b}[200~\(long)\u{1b}[201~") == [.paste(long)])
  }

  @Test(arguments: [
    ("\u{1b}[<0;1;1M", MouseEvent(.press(.left), at: .origin)),
    ("\u{1b}[<2;10;5m", MouseEvent(.release(.right), at: Point(x: 9, y: 4))),
    ("\u{1b}[<32;300;5M", MouseEvent(.drag(.left), at: Point(x: 299, y: 4))),
    ("\u{1b}[<64;2;2M", MouseEvent(.wheelUp, at: Point(x: 1, y: 1))),
    ("\u{1b}[<81;2;2M", MouseEvent(.wheelDown, at: Point(x: 1, y: 1), modifiers: .control)),
    ("\u{1b}[M !!", MouseEvent(.press(.left), at: .origin)),
    ("\u{1b}[M#!!", MouseEvent(.release(.left), at: .origin)),
  ])
  func mouseReportsAreEvents(text: String, event: MouseEvent) {
    #expect(parse(text) == [.mouse(event)])
  }

  @Test func `Mouse reports whose prefix ncurses consumed are events`() {
    var parser = InputParser()
    let modern = [InputToken.mousePrefix] + "0;10;5M".unicodeScalars.map { .scalar($0) }
    #expect(
      parser.parse(modern) == [.mouse(MouseEvent(.press(.left), at: Point(x: 9, y: 4)))])
    let old = [InputToken.mousePrefix] + " !!".unicodeScalars.map { .scalar($0) }
    #expect(parser.parse(old) == [.mouse(MouseEvent(.press(.left), at: .origin))])
  }

  @Test func anyBytesLeaveTheParserUsable() {
    let pieces: [Unicode.Scalar] = [
      "\u{1b}", "[", "O", "<", "M", "m", "~", ";", "0", "2", "9", "a", "日", "\0", "\r", "?",
      "\u{301}",
    ]
    var state: UInt64 = 1
    var parser = InputParser()
    for _ in 0..<5000 {
      var tokens: [InputToken] = []
      for _ in 0..<8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let choice = Int(state >> 33) % (pieces.count + 2)
        tokens.append(
          choice < pieces.count
            ? .scalar(pieces[choice]) : choice == pieces.count ? .key(.up) : .mousePrefix)
      }
      for event in parser.parse(tokens) {
        if case .mouse(let mouse) = event { #expect(mouse.position.x >= 0) }
      }
    }
    _ = parser.parse("\u{1b}[201~\u{1b}[A~~~~\u{1b}".unicodeScalars.map { .scalar($0) })
    #expect(parser.parse([.scalar("q")]) == [.key(.character("q"))])
  }
}
