/// A picture of a whole terminal: cells, cursor and title.
///
/// A value to compare and to send between tasks. Its drawing methods cut off what lies outside,
/// know how wide characters are, and spell out what must not reach a terminal; none of them traps,
/// at any size.
///
/// ```swift
/// var screen = Screen(size: Size(width: 80, height: 24))
/// screen.put("Keys", at: Point(x: 2, y: 0), style: Style(attributes: .bold))
/// ```
public struct Screen: Sendable {
  /// The number of columns and rows.
  public let size: Size
  /// Where the cursor stands; nil hides it.
  public var cursor: Point?
  /// What the terminal's window is called; nil leaves its title alone.
  public var title: String?

  /// The cells, row after row.
  var cells: [PackedCell]
  /// What cells of more than one scalar show.
  var clusters: [[Unicode.Scalar]] = []

  /// The largest width and height, far beyond any terminal, so that no number makes it fail.
  static let largestSide = 4096

  /// Makes an empty screen, at most 4096 cells wide and high.
  public init(size: Size, style: Style = .plain) {
    self.size = Size(
      width: min(size.width, Self.largestSide), height: min(size.height, Self.largestSide))
    cells = Array(repeating: .blank(style), count: self.size.width * self.size.height)
  }

  /// The rectangle of all cells.
  public var bounds: Rect { Rect(size) }

  /// What a place shows; nil outside the screen.
  public subscript(point: Point) -> Cell? {
    guard let index = index(of: point) else { return nil }
    let cell = cells[index]
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars(of: cell))
    return Cell(text: text, width: Int(cell.width), style: cell.style)
  }

  /// The place of a cell in the list of cells; nil outside the screen.
  func index(of point: Point) -> Int? {
    guard point.x >= 0, point.x < size.width, point.y >= 0, point.y < size.height else {
      return nil
    }
    return point.y * size.width + point.x
  }

  /// The scalars that a cell shows.
  func scalars(of cell: PackedCell) -> [Unicode.Scalar] {
    guard cell.width > 0 else { return [] }
    if cell.content & PackedCell.clusterFlag != 0 {
      let place = Int(cell.content & ~PackedCell.clusterFlag)
      return clusters.indices.contains(place) ? clusters[place] : []
    }
    return Unicode.Scalar(cell.content).map { [$0] } ?? []
  }

  /// Whether a row looks the same on another screen of the same width.
  package func rowLooksEqual(_ row: Int, to other: Screen) -> Bool {
    guard size.width == other.size.width, row >= 0, row < size.height, row < other.size.height
    else { return false }
    let range = row * size.width..<(row + 1) * size.width
    return range.allSatisfy { looksEqual($0, to: other) }
  }

  /// Whether a place looks the same on another screen; false outside either.
  package func looksEqual(at point: Point, to other: Screen) -> Bool {
    guard size.width == other.size.width, let index = index(of: point),
      other.index(of: point) != nil
    else { return false }
    return looksEqual(index, to: other)
  }

  /// Whether the cells of the same number look the same.
  private func looksEqual(_ index: Int, to other: Screen) -> Bool {
    let (left, right) = (cells[index], other.cells[index])
    guard left.style == right.style, left.width == right.width else { return false }
    if left.content & right.content & PackedCell.clusterFlag != 0 {
      return scalars(of: left) == other.scalars(of: right)
    }
    return left.content == right.content
  }
}

extension Screen: Equatable {
  /// Whether both show the same, wherever they keep it.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.size == right.size, left.cursor == right.cursor, left.title == right.title else {
      return false
    }
    if left.clusters == right.clusters { return left.cells == right.cells }
    return left.cells.indices.allSatisfy { left.looksEqual($0, to: right) }
  }
}

extension Screen {
  /// What an adapter draws at a place; nil outside the screen.
  package func contents(
    at point: Point
  ) -> (scalars: [Unicode.Scalar], width: Int, style: Style)? {
    guard let index = index(of: point) else { return nil }
    let cell = cells[index]
    return (scalars(of: cell), Int(cell.width), cell.style)
  }

  /// Every style that a cell has.
  package var usedStyles: Set<Style> {
    var styles: Set<Style> = []
    var last: Style?
    for cell in cells where cell.style != last {
      styles.insert(cell.style)
      last = cell.style
    }
    return styles
  }
}
