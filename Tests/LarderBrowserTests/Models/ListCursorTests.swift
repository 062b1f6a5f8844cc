import TestSamples
import LarderBrowser
import Testing

/// The selected row of a list and its scroll position.
@Suite struct ListCursorTests {
  @Test func `Selecting scrolls no further than needed`() {
    var cursor = ListCursor()
    cursor.select(5, count: 100, height: 10)
    #expect((cursor.index, cursor.top) == (5, 0))
    cursor.select(10, count: 100, height: 10)
    #expect((cursor.index, cursor.top) == (10, 1))
    cursor.select(1, count: 100, height: 10)
    #expect((cursor.index, cursor.top) == (1, 1))
    cursor.select(0, count: 100, height: 10)
    #expect((cursor.index, cursor.top) == (0, 0))
    cursor.select(1_000, count: 100, height: 10)
    #expect((cursor.index, cursor.top) == (99, 90))
    cursor.select(-5, count: 100, height: 10)
    #expect((cursor.index, cursor.top) == (0, 0))
  }

  @Test func `The wheel moves the selection at the edge`() {
    var cursor = ListCursor()
    cursor.scroll(by: 3, count: 100, height: 10)
    #expect((cursor.index, cursor.top) == (3, 3))
    cursor.scroll(by: -3, count: 100, height: 10)
    #expect((cursor.index, cursor.top) == (3, 0))
    cursor.scroll(by: 1_000, count: 100, height: 10)
    #expect((cursor.index, cursor.top) == (90, 90))
  }

  @Test func `Rows added or removed before the selection shift it`() {
    var cursor = ListCursor()
    cursor.select(20, count: 100, height: 10)
    cursor.shift(by: 200, count: 300, height: 10)
    #expect((cursor.index, cursor.top) == (220, 211))
    cursor.shift(by: -200, count: 100, height: 10)
    #expect((cursor.index, cursor.top) == (20, 11))
    cursor.shift(by: -50, count: 50, height: 10)
    #expect((cursor.index, cursor.top) == (0, 0))
  }

  @Test func `The cursor is always in the list and on screen`() {
    var random = SampleGenerator()
    var cursor = ListCursor()
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...30, using: &random)
      let height = Int.random(in: -1...12, using: &random)
      let step = Int.random(in: -40...40, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: cursor.select(step, count: count, height: height)
      case 1: cursor.move(by: step, count: count, height: height)
      case 2: cursor.scroll(by: step, count: count, height: height)
      default: cursor.shift(by: step, count: count, height: height)
      }
      let rows = cursor.top..<cursor.top + max(1, height)
      #expect(cursor.index == 0 || cursor.index < count, "seed \(random.seed)")
      #expect(rows.contains(cursor.index), "seed \(random.seed)")
      #expect(cursor.top == 0 || cursor.top <= count - max(1, height), "seed \(random.seed)")
    }
  }
}
