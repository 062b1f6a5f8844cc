/// The contents of a terminal: cells, cursor and title.
///
/// A value that can be compared and sent between tasks. Drawing methods clip at the edges, handle
/// wide characters, and escape anything that must not reach a terminal; they never trap.
///
/// ```swift
/// var screen = Screen(size: Size(width: 80, height: 24))
/// screen.put("Keys", at: Point(x: 2, y: 0), style: Style(attributes: .bold))
/// ```
public struct Screen: Sendable {
  /// The number of columns and rows.
  public let size: Size
  /// The cursor position; nil hides the cursor.
  public var cursor: Point?
  /// The window title; nil leaves it unchanged.
  public var title: String?

  /// The cells, row by row.
  var cells: [PackedCell]
  /// The scalars of cells with more than one scalar.
  var clusters: [[Unicode.Scalar]] = []
  /// The URLs of hyperlinks.
  var links: [String] = []

  /// The maximum width and height, far beyond any terminal.
  static let largestSide = 4096

  /// Creates an empty screen of at most 4096 by 4096 cells.
  public init(size: Size, style: Style = .plain) {
    self.size = Size(
      width: min(size.width, Self.largestSide), height: min(size.height, Self.largestSide))
    cells = Array(repeating: .blank(style), count: self.size.width * self.size.height)
  }

  /// The rectangle of all cells.
  public var bounds: Rect { Rect(size) }

  /// The cell at a point; nil outside the screen.
  public subscript(point: Point) -> Cell? {
    guard let index = index(of: point) else { return nil }
    let cell = cells[index]
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars(of: cell))
    return Cell(
      text: text, width: Int(cell.width), style: cell.style, link: address(of: cell))
  }

  /// Returns the URL of a cell's hyperlink, or nil if it has none.
  func address(of cell: PackedCell) -> String? {
    let place = Int(cell.link) - 1
    return links.indices.contains(place) ? links[place] : nil
  }

  /// Returns the index of a cell, or nil if it is outside the screen.
  func index(of point: Point) -> Int? {
    guard point.x >= 0, point.x < size.width, point.y >= 0, point.y < size.height else {
      return nil
    }
    return point.y * size.width + point.x
  }

  /// Returns the scalars of a cell.
  func scalars(of cell: PackedCell) -> [Unicode.Scalar] {
    guard cell.width > 0 else { return [] }
    if cell.content & PackedCell.clusterFlag != 0 {
      let place = Int(cell.content & ~PackedCell.clusterFlag)
      return clusters.indices.contains(place) ? clusters[place] : []
    }
    return Unicode.Scalar(cell.content).map { [$0] } ?? []
  }

  /// Returns the rows that look different on another screen; all rows if there is none or its width
  /// is different.
  package func rows(differentFrom other: Screen?) -> [Int] {
    guard let other, size.width == other.size.width else { return Array(0..<size.height) }
    // Cluster and link numbers are only meaningful on the same screen.
    let sharesNumbers = clusters == other.clusters && links == other.links
    return (0..<size.height).filter { row in
      guard row < other.size.height else { return true }
      let range = row * size.width..<(row + 1) * size.width
      if sharesNumbers, haveSameBytes(range, as: other) { return false }
      return !range.allSatisfy { looksEqual($0, to: other) }
    }
  }

  /// Whether cells have the same bytes, a fast check that succeeds for most rows.
  private func haveSameBytes(_ range: Range<Int>, as other: Screen) -> Bool {
    let size = MemoryLayout<PackedCell>.stride
    let word = MemoryLayout<UInt64>.size
    guard range.upperBound <= min(cells.count, other.cells.count), size.isMultiple(of: word) else {
      return false
    }
    return cells.withUnsafeBytes { mine in
      other.cells.withUnsafeBytes { others in
        stride(from: range.lowerBound * size, to: range.upperBound * size, by: word).allSatisfy {
          mine.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
            == others.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
        }
      }
    }
  }

  /// Whether a cell looks the same on another screen; false outside either.
  package func looksEqual(at point: Point, to other: Screen) -> Bool {
    guard size.width == other.size.width, let index = index(of: point),
      other.index(of: point) != nil
    else { return false }
    return looksEqual(index, to: other)
  }

  /// Whether the cells at an index look the same.
  private func looksEqual(_ index: Int, to other: Screen) -> Bool {
    let (left, right) = (cells[index], other.cells[index])
    guard left.style == right.style, left.width == right.width,
      left.link | right.link == 0 || address(of: left) == other.address(of: right)
    else { return false }
    if left.content & right.content & PackedCell.clusterFlag != 0 {
      return scalars(of: left) == other.scalars(of: right)
    }
    return left.content == right.content
  }
}

extension Screen: Equatable {
  /// Whether two screens look the same, even if they store it differently.
  public static func == (left: Self, right: Self) -> Bool {
    guard left.size == right.size, left.cursor == right.cursor, left.title == right.title else {
      return false
    }
    if left.clusters == right.clusters, left.links == right.links {
      return left.cells == right.cells
    }
    return left.cells.indices.allSatisfy { left.looksEqual($0, to: right) }
  }
}

extension Screen {
  /// Returns the content of a cell for terminal adapters, or nil if it is outside the screen.
  package func contents(
    at point: Point
  ) -> (scalars: [Unicode.Scalar], width: Int, style: Style)? {
    guard let index = index(of: point) else { return nil }
    let cell = cells[index]
    return (scalars(of: cell), Int(cell.width), cell.style)
  }

  /// A run of cells in one row with the same hyperlink.
  package struct LinkRun: Hashable, Sendable {
    /// The row.
    package let row: Int
    /// The columns.
    package let columns: Range<Int>
    /// The URL.
    package let address: String
  }

  /// Whether any cell may have a hyperlink.
  package var hasLinks: Bool { !links.isEmpty }

  /// Returns the hyperlinks in a row, from left to right.
  package func links(ofRow row: Int) -> [LinkRun] {
    guard !links.isEmpty, row >= 0, row < size.height else { return [] }
    var runs: [LinkRun] = []
    var start = 0
    for x in 0..<size.width {
      let link = cells[row * size.width + x].link
      if x + 1 < size.width, cells[row * size.width + x + 1].link == link { continue }
      if link > 0, let address = address(of: cells[row * size.width + x]) {
        runs.append(LinkRun(row: row, columns: start..<x + 1, address: address))
      }
      start = x + 1
    }
    return runs
  }

  /// Returns the styles used in some rows.
  package func styles(ofRows rows: some Sequence<Int>) -> Set<Style> {
    var styles: Set<Style> = []
    var last: Style?
    for row in rows where row >= 0 && row < size.height {
      for cell in cells[row * size.width..<(row + 1) * size.width] where cell.style != last {
        styles.insert(cell.style)
        last = cell.style
      }
    }
    return styles
  }
}
