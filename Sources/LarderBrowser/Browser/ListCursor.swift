/// The selected row of a list and the first row on screen, kept inside the list and in view.
package struct ListCursor: Sendable, Equatable {
  /// The selected row, 0 in an empty list.
  package private(set) var index = 0
  /// The first row on screen.
  package private(set) var top = 0

  package init() {}

  /// Selects a row, clamped to the list, and scrolls no further than needed to show it.
  package mutating func select(_ row: Int, count: Int, height: Int) {
    index = max(0, min(row, count - 1))
    reveal(count: count, height: height)
  }

  /// Selects a row and scrolls so that it stands on a row of the screen, as far as the list reaches.
  package mutating func place(_ row: Int, atScreenRow screenRow: Int, count: Int, height: Int) {
    top = row - screenRow
    select(row, count: count, height: height)
  }

  /// Moves the selection by a number of rows.
  package mutating func move(by rows: Int, count: Int, height: Int) {
    select(index + rows, count: count, height: height)
  }

  /// Scrolls without moving the selection out of view.
  package mutating func scroll(by rows: Int, count: Int, height: Int) {
    let height = max(1, height)
    top = max(0, min(top + rows, count - height))
    index = max(top, min(index, min(top + height, count) - 1))
    index = max(0, index)
  }

  /// Follows a change of the list's rows before the selected one.
  package mutating func shift(by rows: Int, count: Int, height: Int) {
    top = max(0, top + rows)
    select(index + rows, count: count, height: height)
  }

  /// Brings the selection into view.
  package mutating func reveal(count: Int, height: Int) {
    let height = max(1, height)
    if index < top { top = index }
    if index >= top + height { top = index - height + 1 }
    top = max(0, min(top, max(0, count - height)))
  }
}
