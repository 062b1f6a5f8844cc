import LarderModel

/// The columns of a table, with their order and the selected one.
package struct GridModel: Sendable, Equatable {
  /// The user's arrangement of the columns.
  package struct Arrangement: Sendable, Equatable, Codable {
    /// The columns that were moved, with all columns that were before them, in order.
    var order: [String] = []
    var hidden: [String] = []
    /// The widths that the user has set.
    package internal(set) var widths: [String: Int] = [:]

    init() {}
  }

  /// The columns of the table in their original order.
  let all: [String]
  package internal(set) var arrangement: Arrangement {
    didSet { arrange() }
  }
  /// Whether the rows are shown as a grid rather than a list.
  var isShown = true
  /// The selected column, or `nil` for the key.
  package internal(set) var selected: String?
  /// The visible columns from left to right.
  package private(set) var columns: [String] = []
  /// All columns in the user's order, including hidden ones.
  private var order: [String] = []

  /// The allowed widths of a column.
  package static let widthRange = 3...200

  init(columns: [String], _ arrangement: Arrangement = Arrangement()) {
    all = columns
    self.arrangement = arrangement
    arrange()
  }

  private mutating func arrange() {
    let known = Set(all)
    let moved = arrangement.order.filter(known.contains)
    let isMoved = Set(moved)
    order = moved + all.filter { !isMoved.contains($0) }
    let hidden = Set(arrangement.hidden)
    columns = order.filter { !hidden.contains($0) }
  }

  /// The hidden columns, in the user's order.
  package var hidden: [String] {
    let shown = Set(columns)
    return order.filter { !shown.contains($0) }
  }

  /// Moves the selection by a number of columns at most, to the left for negative numbers.
  ///
  /// - Returns: Whether it has moved. The key is to the left of all columns.
  mutating func select(by step: Int) -> Bool {
    let columns = columns
    let start = selected.flatMap(columns.firstIndex) ?? -1
    let place = min(max(start + step, -1), columns.count - 1)
    selected = place < 0 ? nil : columns[place]
    return place != start
  }

  /// Hides the selected column and selects the next one.
  mutating func hideSelected() {
    guard let selected else { return }
    let place = columns.firstIndex(of: selected) ?? 0
    arrangement.hidden.append(selected)
    let rest = columns
    self.selected = rest.isEmpty ? nil : rest[min(place, rest.count - 1)]
  }

  /// Shows a hidden column and selects it, or shows all of them.
  mutating func show(_ column: String?) {
    guard let column else {
      arrangement.hidden = []
      return
    }
    arrangement.hidden.removeAll { $0 == column }
    selected = column
  }

  /// Swaps the selected column with its visible neighbor: 1 for the right one, -1 for the left.
  ///
  /// Hidden columns keep their places.
  mutating func moveSelected(by step: Int) {
    guard let selected, let place = columns.firstIndex(of: selected),
      columns.indices.contains(place + step),
      let from = order.firstIndex(of: selected),
      let to = order.firstIndex(of: columns[place + step])
    else { return }
    var order = order
    order.swapAt(from, to)
    arrangement.order = order
  }
}

extension KeysModel {
  /// The value of the selected cell, as far as it was read.
  var selectedCell: ListRow.Cell? {
    guard let column = grid?.selected, let selected else { return nil }
    return row(of: selected)?.cells[column]
  }
}
