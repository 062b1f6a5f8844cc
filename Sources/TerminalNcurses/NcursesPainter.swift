import CNcurses
import TerminalUI

/// Draws the differences between screens into an ncurses window.
@MainActor struct NcursesPainter {
  private var styles: NcursesStyles
  /// Whether the terminal supports hyperlinks.
  private let hasLinks: Bool
  /// Whether to restrict output to what the Linux console can show.
  private let isLinuxConsole: Bool
  /// The screen that the window shows; nil if that is unknown.
  private(set) var shown: Screen?

  /// Creates a painter for the terminal that ncurses has just initialized.
  init(styles: NcursesStyles, hasLinks: Bool, isLinuxConsole: Bool = false) {
    self.isLinuxConsole = isLinuxConsole
    self.styles = styles
    self.hasLinks = hasLinks
  }

  /// The remaining work after drawing a screen.
  struct Drawing {
    /// Whether there is output to send to the terminal.
    var isOther: Bool
    /// The hyperlinks, which have to be drawn and sent separately.
    var links: [Screen.LinkRun] = []
  }

  /// Discards the known window contents, so that everything is drawn next time.
  mutating func forget() {
    shown = nil
  }

  /// Draws the cells that differ, with blanks in place of hyperlinks.
  ///
  /// Content that does not fit into the window is omitted. ncurses' cells have no hyperlinks: it
  /// would not resend cells that look the same, and may resend those between two changes. Therefore
  /// all hyperlinks in a changed row are sent after everything else.
  mutating func draw(_ screen: Screen, in window: UnsafeMutablePointer<WINDOW>) -> Drawing {
    let last = shown?.size == screen.size ? shown : nil
    var previous = last
    var rows = screen.rows(differentFrom: previous)
    if !styles.makeRoom(for: screen.styles(ofRows: rows)) {
      previous = nil
      rows = screen.rows(differentFrom: nil)
    }
    if previous == nil { werase(window) }
    let width = min(screen.size.width, Int(getmaxx(window)))
    let height = min(screen.size.height, Int(getmaxy(window)))
    // If more rows changed, ncurses may scroll and resend rows at the edge.
    if hasLinks, rows.count > 2, screen.hasLinks {
      let others = Set(rows)
      rows = (0..<screen.size.height).filter {
        others.contains($0) || !screen.links(ofRow: $0).isEmpty
      }
    }
    var drawing = Drawing(isOther: previous == nil || rows.contains { $0 < height })
    for y in rows where y < height {
      let room = hasLinks ? Self.maximumLinks - drawing.links.count : 0
      let links = room > 0 ? Array(screen.links(ofRow: y).prefix(room)) : []
      if hasLinks, last?.links(ofRow: y).isEmpty == false { wredrawln(window, Int32(y), 1) }
      for link in links { blank(link, of: screen, in: window, width: width) }
      drawing.links += links
      var rest = links[...]
      for x in 0..<width {
        while let link = rest.first, link.columns.upperBound <= x { rest.removeFirst() }
        if rest.first?.columns.contains(x) == true { continue }
        let point = Point(x: x, y: y)
        if let previous, screen.looksEqual(at: point, to: previous) { continue }
        draw(screen, at: point, in: window, width: width)
      }
    }
    shown = screen
    return drawing
  }

  /// The maximum number of hyperlinks on a screen, as each is sent separately.
  private static let maximumLinks = 400

  /// Draws the cells of a hyperlink.
  mutating func draw(_ link: Screen.LinkRun, in window: UnsafeMutablePointer<WINDOW>) {
    guard let screen = shown else { return }
    let width = min(screen.size.width, Int(getmaxx(window)))
    for x in link.columns where x < width {
      draw(screen, at: Point(x: x, y: link.row), in: window, width: width)
    }
  }

  /// Draws blanks in a different style in place of cells, so that ncurses resends them all.
  private mutating func blank(
    _ link: Screen.LinkRun, of screen: Screen, in window: UnsafeMutablePointer<WINDOW>, width: Int
  ) {
    for x in link.columns where x < width {
      guard let contents = screen.contents(at: Point(x: x, y: link.row)) else { continue }
      let style = styles.values(for: contents.style)
      var pair = style.pair
      var cell = cchar_t()
      guard setcchar(&cell, [0x20, 0], 0, 0, &pair) != ERR else { continue }
      mvwadd_wchnstr(window, Int32(link.row), Int32(x), &cell, 1)
    }
  }

  /// Draws one cell; the right half of a wide character is drawn with its left half.
  private mutating func draw(
    _ screen: Screen, at point: Point, in window: UnsafeMutablePointer<WINDOW>, width: Int
  ) {
    guard let contents = screen.contents(at: point), contents.width > 0 else { return }
    // A wide character cut off by the edge of a smaller window is replaced by a blank.
    let fits = point.x + contents.width <= width
    var scalars = contents.scalars
    if isLinuxConsole, let base = scalars.first {
      scalars = [LinuxConsole.drawable(base, width: contents.width)]
    }
    var characters = fits ? Self.drawable(scalars, width: contents.width) : [0x20]
    characters.append(0)
    let style = styles.values(for: contents.style)
    var pair = style.pair
    var cell = cchar_t()
    guard setcchar(&cell, characters, style.attributes, 0, &pair) != ERR else { return }
    // Unlike `add_wch`, this does not move the cursor, so the last cell needs no special case.
    mvwadd_wchnstr(window, Int32(point.y), Int32(point.x), &cell, 1)
  }

  /// Returns the characters of a cell, or a placeholder of the same width if the C library assumes
  /// a different width, which would make ncurses miscount columns.
  private static func drawable(_ scalars: [Unicode.Scalar], width: Int) -> [wchar_t] {
    guard let base = scalars.first else { return [0x20] }
    if base.value < 0x7F, scalars.count == 1 { return [wchar_t(base.value)] }
    guard cn_wcwidth(wchar_t(base.value)) == width else { return [width == 2 ? 0x3013 : 0xFFFD] }
    let marks = scalars.dropFirst().filter { cn_wcwidth(wchar_t($0.value)) == 0 }
    return [wchar_t(base.value)] + marks.map { wchar_t($0.value) }
  }
}
