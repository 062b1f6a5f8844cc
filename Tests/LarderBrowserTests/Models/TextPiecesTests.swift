import HarmonyTesting
import Testing

@testable import LarderBrowser

/// The characters of a text in pieces.
@Suite struct TextPiecesTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func `Pieces are edited like an array`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pieces = TextPieces()
    var characters: [Character] = []
    for _ in 0..<400 {
      let low = Int.random(in: 0...characters.count, using: &random)
      let length = Int.random(in: 0...3_000, using: &random)
      let high = min(characters.count, low + Int.random(in: 0...length, using: &random))
      let inserted: [Character] = (0..<Int.random(in: 0...length, using: &random)).map { number in
        number % 61 == 0 ? "\n" : number % 59 == 0 ? "\u{2028}" : number % 7 == 0 ? "é" : "x"
      }
      let before = pieces
      pieces.replace(low..<high, with: inserted)
      let common = before.commonCount(with: pieces)
      #expect(common <= pieces.count && common + 2 * TextPieces.length >= min(low, pieces.count))
      #expect(characters.prefix(common).elementsEqual(pieces.characters(in: 0..<common)))
      characters.replaceSubrange(low..<high, with: inserted)
      #expect(pieces.count == characters.count)
      #expect(pieces.newlines == characters.count { $0.isLineEnd })
      #expect(pieces.characters(in: 0..<pieces.count) == characters)
      #expect(pieces.pieces.allSatisfy { !$0.isEmpty && $0.count <= 2 * TextPieces.length })
      let place = Int.random(in: 0...characters.count, using: &random)
      #expect(
        pieces.lastIndex(before: place) { $0 == "\n" }
          == characters[..<place].lastIndex { $0 == "\n" })
      #expect(
        pieces.firstIndex(from: place) { $0 == "\n" }
          == characters[place...].firstIndex { $0 == "\n" })
    }
  }

  @Test func `An edit changes only a few pieces`() {
    var pieces = TextPieces(String(repeating: "some text\n", count: 10_000))
    let before = pieces.pieces
    pieces.replace(50_000..<50_001, with: ["y"])
    let same = zip(before, pieces.pieces).count { $0 == $1 }
    #expect(same == before.count - 1)
    #expect(before.count > 90)
  }

  @Test func `Equal texts in different pieces are equal`() {
    let text = String(repeating: "0123456789", count: 500)
    var pieces = TextPieces()
    for character in text.reversed() { pieces.replace(0..<0, with: [character]) }
    #expect(pieces == TextPieces(text))
    #expect(pieces.text == text)
    #expect(pieces != TextPieces(text.replacing("9", with: "8")))
  }
}
