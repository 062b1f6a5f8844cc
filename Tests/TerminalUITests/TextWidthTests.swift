import Testing

@testable import TerminalUI

@Suite struct TextWidthTests {
  @Test(arguments: [
    ("a", 1), ("é", 1), ("e\u{301}", 1), ("日", 2), ("ｱ", 1), ("Ａ", 2), ("한", 2),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧", 6), ("🏳️‍🌈", 3), ("🇪🇸", 2),
    ("❤", 1), ("❤️", 1), ("1️⃣", 1), ("☕", 2), ("☕\u{FE0E}", 2), ("§", 1), ("\u{E0B0}", 1),
    ("\n", 1), ("\u{1b}", 1), ("\r\n", 2), ("", 0), ("\u{85}", 6), ("\u{202e}", 8), ("क्षि", 3),
    ("\u{301}", 7), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("𝒳", 1), ("䷀", 2), ("●", 1),
  ])
  func textHasTheWidthOfWhatIsDrawn(text: String, width: Int) {
    #expect(TextWidth.of(text) == width)
    let drawn = text.flatMap { CellText.cells(of: $0) }
    #expect(drawn.reduce(0) { $0 + $1.width } == width)
    #expect(drawn.allSatisfy { $0.scalars.count <= CellText.capacity && !$0.scalars.isEmpty })
  }

  @Test func `The table is sorted without overlaps`() {
    for table in [WidthTable.zero, WidthTable.double] {
      #expect(table.count.isMultiple(of: 2))
      #expect(zip(table, table.dropFirst()).allSatisfy { $0 <= $1 })
    }
    for index in stride(from: 0, to: WidthTable.zero.count, by: 2) {
      #expect(!WidthTable.contains(WidthTable.zero[index], in: WidthTable.double))
    }
  }

  @Test func `The table contains every mark of its Unicode version`() {
    var wrong: [Unicode.Scalar] = []
    for value in UInt32(0x300)...0xE01EF {
      guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, age.major <= 14
      else { continue }
      let isMark = [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
      if isMark != (TextWidth.of(scalar) == 0) { wrong.append(scalar) }
    }
    // Hangul vowels and finals, joiners and tags also have width 0 but are not marks.
    let others = wrong.filter { scalar in
      switch scalar.value {
      case 0x1160...0x11FF, 0xD7B0...0xD7FF, 0x200C...0x200D, 0xE0020...0xE007F: false
      // The category of these changed in a later version of Unicode.
      default: scalar.properties.generalCategory != .spacingMark
      }
    }
    #expect(others.count < 5, "\(others.map { String($0.value, radix: 16) })")
  }

  @Test func tooManyMarksAreCut() {
    let zalgo = "a" + String(repeating: "\u{301}", count: 500)
    #expect(TextWidth.of(zalgo) == 1)
    #expect(CellText.cells(of: Character(zalgo)).map(\.scalars.count) == [5])
  }

  @Test func anySequenceOfScalarsIsDrawnWithItsWidth() {
    var generator = SeededGenerator(seed: 7)
    let interesting: [UInt32] = [
      0x41, 0x1B, 0x0A, 0x0D, 0x301, 0x200D, 0xFE0F, 0xFE0E, 0x1F468, 0x1F3FD, 0x1F1EA, 0x20E3,
      0x1100, 0x1161, 0x11A8, 0x915, 0x94D, 0x93F, 0x202E, 0x2067, 0xE0067, 0x1F3F4, 0xAD, 0x85,
      0x10FFFF, 0xFFFE, 0x65E5, 0x200C, 0x600,
    ]
    for _ in 0..<2000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let value = interesting.randomElement(using: &generator) ?? 0x41
        if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
      }
      let width = TextWidth.of(text)
      var screen = Screen(size: Size(width: 80, height: 1))
      #expect(screen.put(text, at: .origin) == width, "\(text.unicodeScalars.map(\.value))")
      #expect(TextWidth.of(screen.row(0)) == 80, "\(text.unicodeScalars.map(\.value))")
      #expect(Sanitizer.isHarmless(screen.row(0)))
    }
  }
}
