import LarderModel
import LarderBrowser
import TerminalUI

/// The visible columns of a grid and their widths.
///
/// A column is as wide as its visible cells, and does not get narrower while the list is scrolled.
/// The first visible column stays until the selected one would be off screen.
struct GridLayout: Equatable {
  /// The store of the table.
  private let store: StoreReference
  /// The index of the first visible column.
  let first: Int
  private let widths: [String: Int]
  /// The columns of the keys' parts; nil if a key is shown as one text.
  let key: GridKey?
  let columns: ListColumns
  /// The number of columns to the right of the screen.
  let moreCount: Int

  /// The maximum automatic width of a column, which is that of a UUID.
  private static let maximumWidth = 36
  private static let gap = 2

  /// Lays out the columns next to the keys.
  ///
  /// - Parameters:
  ///   - grid: The grid.
  ///   - model: The list.
  ///   - shown: The visible entries.
  ///   - keyWidth: The width of the widest visible key as one text.
  ///   - width: The width of a row.
  ///   - previous: The previous layout.
  init(
    _ grid: GridModel, of model: KeysModel, _ shown: some Collection<Entry>, keyWidth: Int,
    width: Int, after previous: GridLayout?
  ) {
    store = model.store.reference
    let previous = previous?.store == store ? previous : nil
    let names = grid.columns
    let rows = shown.compactMap { model.row(of: $0) }
    var measured = Widths(rows, grid, model.shownOrder, atLeast: previous?.widths ?? [:])
    let most = max(3, width / 3)
    key = GridKey(shown, of: model, width: most, after: previous?.key)
    let keyWidth = key?.width ?? min(max(3, keyWidth), most)
    let room = width - 1 - keyWidth
    var first = min(previous?.first ?? 0, max(0, names.count - 1))
    if let selected = grid.selected.flatMap(names.firstIndex) {
      first = min(first, selected)
      // The selected column is fully visible if there is room for it.
      var place = selected
      var taken = measured.width(of: names[selected]) + Self.gap
      while place > first, taken + measured.width(of: names[place - 1]) + Self.gap <= room {
        place -= 1
        taken += measured.width(of: names[place]) + Self.gap
      }
      first = place
    }
    self.first = first
    var x = 1 + keyWidth
    var columns: [ListColumns.Column] = []
    for name in names[first...] {
      x += Self.gap
      let left = width - x
      guard left >= 1 else { break }
      let wanted = measured.width(of: name)
      guard left >= min(wanted, 4) else { break }
      let cells = rows.lazy.compactMap { $0.cells[name] }.filter { !$0.isNull }
      let isRight = !cells.isEmpty && cells.allSatisfy(\.isNumber)
      columns.append(.init(.field(name), x: x, width: min(wanted, left), isRight: isRight))
      x += wanted
    }
    widths = measured.widths
    moreCount = names.count - first - columns.count
    self.columns = ListColumns(keyWidth: keyWidth, columns)
  }

  /// Returns the width of a column, or `nil` if it was not laid out.
  func width(of name: String?) -> Int? { name.flatMap { widths[$0] } }

  /// The widths of the columns, which are measured on demand.
  private struct Widths {
    private(set) var widths: [String: Int]
    private var known: Set<String> = []
    private let rows: [ListRow]
    private let grid: GridModel
    private let order: EntryOrder

    init(_ rows: [ListRow], _ grid: GridModel, _ order: EntryOrder, atLeast widths: [String: Int]) {
      self.widths = widths
      self.rows = rows
      self.grid = grid
      self.order = order
    }

    mutating func width(of name: String) -> Int {
      if let width = widths[name], known.contains(name) { return width }
      known.insert(name)
      let width = measured(name)
      widths[name] = width
      return width
    }

    private func measured(_ name: String) -> Int {
      let range = GridModel.widthRange
      if let chosen = grid.arrangement.widths[name] {
        return min(max(chosen, range.lowerBound), range.upperBound)
      }
      let most = GridLayout.maximumWidth
      let mark = order.field == .column(name) ? 1 : 0
      var widest = max(TextWidth.of(Sanitizer.display(name)) + mark, widths[name] ?? 1)
      for row in rows where widest < most {
        guard let cell = row.cells[name] else { continue }
        widest = max(widest, TextWidth.of(Sanitizer.display(String(cell.text.prefix(most)))))
      }
      return min(widest, most)
    }
  }
}
