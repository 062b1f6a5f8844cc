import Testing

@testable import TerminalUI

@Suite struct GeometryTests {
  let rect = Rect(x: 2, y: 3, width: 10, height: 6)

  @Test func negativeSidesBecomeZero() {
    #expect(Size(width: -1, height: -5) == .zero)
    #expect(Rect(x: 1, y: 1, width: -3, height: 2).isEmpty)
  }

  @Test func `Insets stop at an empty rectangle`() {
    #expect(rect.inset(by: 1) == Rect(x: 3, y: 4, width: 8, height: 4))
    #expect(rect.inset(by: 100).isEmpty)
    #expect(rect.inset(left: .max, right: .max).isEmpty)
    #expect(Rect(x: .min, y: .max, width: .max, height: .max).inset(by: .min).width > 0)
  }

  @Test func `Intersections are the shared area`() {
    #expect(
      rect.intersection(Rect(x: 0, y: 0, width: 5, height: 5))
        == Rect(x: 2, y: 3, width: 3, height: 2))
    #expect(rect.intersection(Rect(x: 50, y: 50, width: 5, height: 5)).isEmpty)
    #expect(rect.intersection(Rect(x: .min, y: .min, width: .max, height: .max)).isEmpty)
  }

  @Test func `A rectangle contains only its cells`() {
    #expect(rect.contains(Point(x: 2, y: 3)))
    #expect(rect.contains(Point(x: 11, y: 8)))
    #expect(!rect.contains(Point(x: 12, y: 8)))
  }

  @Test func `Rectangles are centred and cut`() {
    #expect(
      rect.centered(Size(width: 4, height: 2)) == Rect(x: 5, y: 5, width: 4, height: 2))
    #expect(rect.centered(Size(width: 400, height: 200)) == rect)
  }

  @Test func `Flexible rows share the space left by fixed ones`() {
    let parts = rect.rows(.fixed(1), .rest, .fixed(2))
    #expect(parts.map(\.y) == [3, 4, 7])
    #expect(parts.map(\.height) == [1, 3, 2])
    #expect(parts.allSatisfy { $0.width == 10 })
  }

  @Test func columnsDivideByWeightWithoutLosingACell() {
    for width in 0..<40 {
      let parts = Rect(x: 0, y: 0, width: width, height: 1).columns(
        .share(1), .share(2), .share(4), spacing: 1)
      #expect(parts.reduce(0) { $0 + $1.width } == max(0, width - 2))
    }
  }

  @Test func `The first parts win when space is short`() {
    let parts = Rect(x: 0, y: 0, width: 5, height: 1).columns(.fixed(4), .fixed(4), .rest)
    #expect(parts.map(\.width) == [4, 1, 0])
  }

  @Test func splittingNeverTraps() {
    let numbers = [Int.min, -1, 0, 1, 7, Int.max]
    for width in numbers {
      for first in numbers {
        for spacing in numbers {
          let rect = Rect(x: 0, y: 0, width: width, height: width)
          let parts = rect.columns(.fixed(first), .share(first), .rest, spacing: spacing)
          #expect(parts.count == 3)
          #expect(parts.allSatisfy { $0.intersection(rect).size == $0.size })
          #expect(rect.rows([], spacing: spacing).isEmpty)
        }
      }
    }
  }
}
