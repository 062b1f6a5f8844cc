/// The selected row and the first visible row of a list, which stay within the list.
package struct ListCursor: Sendable, Equatable {
  /// The index of the selected row, which is 0 in an empty list.
  package private(set) var index = 0
  /// The index of the first visible row.
  package private(set) var top = 0

  package init() {}

  /// Selects a row, clamped to the list, and scrolls as little as possible to show it.
  package mutating func select(_ row: Int, count: Int, height: Int) {
    index = max(0, min(row, count - 1))
    reveal(count: count, height: height)
  }

  /// Selects a row and scrolls it to a row of the screen, as far as possible.
  package mutating func place(_ row: Int, atScreenRow screenRow: Int, count: Int, height: Int) {
    top = row - screenRow
    select(row, count: count, height: height)
  }

  /// Moves the selection.
  package mutating func move(by rows: Int, count: Int, height: Int) {
    select(index + rows, count: count, height: height)
  }

  /// Scrolls, and moves the selection if it would leave the screen.
  package mutating func scroll(by rows: Int, count: Int, height: Int) {
    let height = max(1, height)
    top = max(0, min(top + rows, count - height))
    index = max(top, min(index, min(top + height, count) - 1))
    index = max(0, index)
  }

  /// Moves along with the selected row after rows were added or removed before it.
  package mutating func shift(by rows: Int, count: Int, height: Int) {
    top = max(0, top + rows)
    select(index + rows, count: count, height: height)
  }

  /// Scrolls to the selection.
  package mutating func reveal(count: Int, height: Int) {
    let height = max(1, height)
    if index < top { top = index }
    if index >= top + height { top = index - height + 1 }
    top = max(0, min(top, max(0, count - height)))
  }
}
