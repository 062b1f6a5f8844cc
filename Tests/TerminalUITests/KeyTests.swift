import Testing

@testable import TerminalUI

@Suite struct KeyTests {
  @Test(arguments: [
    ("Enter", Key.enter), ("cr", .enter), ("?", .character("?")), ("Ctrl-R", .control("r")),
    ("C-r", .control("r")), ("^R", .control("r")), ("ctrl-r", .control("r")),
    ("Alt-x", .alt("x")), ("M-X", .alt("X")), ("Shift-Tab", .backTab), ("S-Tab", .backTab),
    ("Space", .space), ("Ctrl-Space", .control(" ")), ("F5", .function(5)), ("-", .character("-")),
    ("Ctrl--", .control("-")), ("Ctrl-Alt-Up", Key(.up, modifiers: [.control, .alt])),
    ("PgUp", .pageUp), ("PageDown", .pageDown), ("Esc", .escape), ("BS", .backspace),
    ("lt", .character("<")), ("<", .character("<")), ("日", .character("日")),
    ("Shift-a", .character("A")), ("^", .character("^")), ("C", .character("C")),
    ("Ctrl-I", .control("i")), ("Shift-F3", Key(.function(3), modifiers: .shift)),
  ])
  func notationIsRead(text: String, key: Key) {
    #expect(Key(text) == key)
    #expect(Key(key.description) == key, "\(key)")
  }

  @Test(arguments: ["", "Entre", "Ctrl-", "Hyper-x", "F0", "F99", "Ctrl-Foo", "ab", "--x"])
  func otherNotationIsRefused(text: String) {
    #expect(Key(text) == nil)
  }

  @Test func `Keys have a single spelling`() {
    #expect(Key(.character("R"), modifiers: [.control, .shift]) == .control("r"))
    #expect(Key(.tab, modifiers: .shift) == .backTab)
    #expect(Key(.character("\r")) == .enter)
    #expect(Key(.character("\u{1b}")) == .escape)
    #expect(Key.character("A").text == "A")
    #expect(Key.control("a").text == nil)
    #expect(Key.control("r").description == "Ctrl-R")
    #expect(Key.alt("r").description == "Alt-r")
  }

  @Test func `Every key survives formatting and parsing`() {
    var codes: [Key.Code] = [
      .enter, .tab, .backTab, .escape, .backspace, .delete, .insert, .up, .down, .left, .right,
      .home, .end, .pageUp, .pageDown,
    ]
    codes += (1...63).map { .function($0) }
    codes += "azAZ09 -<>^?/\\日é\"'".map { .character($0) }
    for code in codes {
      for raw in UInt8(0)...7 {
        let key = Key(code, modifiers: Modifiers(rawValue: raw))
        #expect(Key(key.description) == key, "\(key)")
        #expect((try? KeyScript.parse(KeyScript.text(of: [key]))) == [key], "\(key)")
      }
    }
  }

  @Test func `Scripts are sequences of keys`() throws {
    #expect(
      try KeyScript.parse("/fo<lt><Enter><Down><C-r>>\n")
        == [
          .character("/"), .character("f"), .character("o"), .character("<"), .enter, .down,
          .control("r"), .character(">"), .enter,
        ])
    #expect(try KeyScript.parse("") == [])
  }

  @Test(arguments: [("ab<Ent", 3), ("<Nope>", 1), ("<>", 1), ("x<", 2)])
  func `Invalid scripts report the position`(script: String, position: Int) throws {
    let error = try #require(throws: KeyScriptError.self) { try KeyScript.parse(script) }
    #expect(error.position == position)
    #expect(error.description.contains("character \(position)"))
  }
}
