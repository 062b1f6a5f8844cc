import Foundation
import LarderModel
import Testing

@testable import LarderBrowser
@testable import LarderUI

/// The columns beside the keys, for stores with any content.
@Suite struct ListColumnsTests {
  private let now = Date(timeIntervalSinceReferenceDate: 0)

  private func cells(modified: Double? = nil, expires: Double?) -> ListCells {
    let entry = Entry(
      key: .text("a"), modified: modified.map { Date(timeIntervalSinceReferenceDate: $0) },
      expires: expires.map { Date(timeIntervalSinceReferenceDate: $0) })
    return ListCells(row: ListRow(entry, valueField: nil), now: now)
  }

  private static let contents: [ListColumns.Content] = [
    .entries, .times(hasUses: true, hasAge: true),
    .times(hasUses: false, hasAge: false), .cache,
  ]

  @Test(arguments: contents)
  func `Columns do not overlap and fit the row`(_ content: ListColumns.Content) {
    for width in 0...200 {
      for keyWidth in [0, 4, 12, 40, 300] {
        let columns = ListColumns(width: width, keyWidth: keyWidth, content)
        var end = 1 + columns.keyWidth
        for column in columns.columns {
          #expect(column.x > end, "\(column.kind) has a space before it at \(width)")
          #expect(column.width > 0)
          end = column.x + column.width
        }
        #expect(end <= max(width, 1), "what is drawn at \(width) fits")
      }
    }
  }

  @Test(arguments: contents)
  func `The key gets its share of the row`(_ content: ListColumns.Content) {
    for width in 22...200 {
      let columns = ListColumns(width: width, keyWidth: 300, content)
      #expect(columns.keyWidth >= (width - 2) * 2 / 5, "at \(width)")
    }
  }

  @Test func `A narrow row drops the least important columns`() {
    func kinds(_ width: Int) -> [ListColumns.Kind] {
      ListColumns(width: width, keyWidth: 12, .times(hasUses: true, hasAge: true)).columns.map(
        \.kind)
    }
    #expect(kinds(120) == [.type, .size, .left, .life, .age, .hits, .used, .value])
    #expect(kinds(56) == [.type, .size, .left, .value])
    #expect(kinds(40) == [.size, .left])
    #expect(kinds(28) == [.left])
    #expect(kinds(24) == [.left])
    #expect(kinds(21).isEmpty)
  }

  @Test(arguments: [1e300, -1e300])
  func `Extreme dates are formatted`(_ seconds: Double) {
    let cells = cells(modified: seconds, expires: seconds)
    #expect(cells.text(.left).hasPrefix("−") == (seconds < 0))
    #expect(cells.text(.age) == (seconds > 0 ? "0s" : "11574074d"))
  }

  @Test func `An entry that just expired shows 0s without a sign`() {
    #expect(cells(expires: -0.4).text(.left) == "0s")
  }

  @Test func `An entry that never expires shows ∞`() {
    #expect(cells(expires: nil).text(.left) == "∞")
  }

  @Test func `An entry that expired before it was modified has an empty bar`() {
    #expect(cells(modified: 0, expires: -60).text(.life) == "░░░░░░")
  }

  @Test(arguments: [0, 9, 10_239, 1_023_999, 104_806_300, Int.max])
  func sizesFitTheirColumn(_ count: Int) throws {
    var entry = Entry(key: .text("a"))
    entry.size = count
    let text = ListCells(row: ListRow(entry, valueField: nil), now: now).text(.size)
    #expect(!text.isEmpty)
    if count < 1 << 40 { #expect(text.count <= 6) }
  }
}
