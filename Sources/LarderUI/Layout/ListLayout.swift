import LarderBrowser
import TerminalUI

/// The positions of the parts of an overlay list.
struct ListLayout {
  /// The line with the name of the store and the progress.
  private(set) var heading = Rect.zero
  /// The line with the column headers.
  private(set) var titles = Rect.zero
  /// The rows.
  private(set) var list = Rect.zero
  /// The lines with details about the whole list or the selected row.
  private(set) var footer = Rect.zero

  /// Lays out the inside of the box, without a footer if there is no room for it.
  init(inside: Rect, footerHeight: Int) {
    let headHeight = inside.height >= 4 ? 2 : inside.height >= 2 ? 1 : 0
    func part(_ y: Int, _ height: Int) -> Rect {
      Rect(x: inside.x, y: inside.y + y, width: inside.width, height: max(0, height))
    }
    heading = part(0, min(1, headHeight))
    titles = part(1, headHeight - 1)
    list = part(headHeight, inside.height - headHeight - footerHeight)
    footer = part(inside.height - footerHeight, footerHeight)
  }
}

extension BrowserLayout {
  /// Returns the positions of the parts of an overlay list.
  func list(_ overlay: Overlay?) -> ListLayout { Self.list(overlay, in: area) }

  static func list(_ overlay: Overlay?, in area: Rect) -> ListLayout {
    let inside = pageRect(in: area)
    return ListLayout(inside: inside, footerHeight: footerHeight(overlay, inside.height))
  }

  private static func footerHeight(_ overlay: Overlay?, _ height: Int) -> Int {
    switch overlay {
    // There are two lines, and the largest entries if there is room.
    case .overview: height >= 20 ? 8 : height >= 10 ? 2 : 0
    case .history: height >= 14 ? height / 2 : 0
    default: 0
    }
  }

  /// Returns the row of an overlay list at a point, or `nil` if there is none.
  func overlayRow(at point: Point, _ list: any OverlayList, _ state: BrowserState) -> Int? {
    let rows = self.list(state.overlay).list
    guard rows.contains(point) else { return nil }
    let row = list.cursor.top + point.y - rows.y
    return (0..<list.rowCount).contains(row) ? row : nil
  }
}
