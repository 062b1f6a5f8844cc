import TerminalUI
import Testing

@testable import LarderUI

/// Keys that are too long for their column.
@Suite struct KeyCutTests {
  private func shown(
    _ keys: [String], _ width: Int, _ sides: [TextCut.Side] = [.middle, .end, .start]
  ) -> [String] {
    let cut = KeyCut(of: keys, to: width, sides: sides)
    return keys.map { cut.text($0, to: width) }
  }

  @Test func `The preferred part is left out if all keys still differ`() {
    #expect(shown(["abcdefghij1", "abcdefghij2"], 7) == ["abc…ij1", "abc…ij2"])
    #expect(
      shown(["(1,abcdefghi)", "(2,abcdefghi)"], 7, [.end, .middle]) == ["(1,abc…", "(2,abc…"])
    #expect(
      shown(["(x,abcdefghi,1)", "(x,abcdefghi,2)"], 7, [.end, .middle]) == ["(x,…,1)", "(x,…,2)"])
  }

  @Test(arguments: [9, 12, 16, 20, 26, 40])
  func `Keys that differ anywhere look different`(_ width: Int) {
    let keys = (10..<40).map { number in
      "(tenant-with-a-long-name,region-\(number)-of-many,2026-11-26,item)"
    }
    let shown = shown(keys, width, [.end, .middle, .start])
    #expect(Set(shown).count == keys.count, "\(shown)")
    #expect(shown.allSatisfy { TextWidth.of($0) <= width })
  }

  @Test(arguments: 0...8)
  func `No width is exceeded`(_ width: Int) {
    for text in shown(["日本語日本語1", "日本語日本語2", "日本語日本語2日", "a"], width) {
      #expect(TextWidth.of(text) <= width, "\(text)")
    }
  }
}
