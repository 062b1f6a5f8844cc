import LarderBrowser
import LarderModel
package import TerminalUI

extension BrowserView {
  /// Returns the hint at a point, or `nil` if there is none.
  package func hint(at point: Point) -> HintLine.Hint? {
    if layout.bottom.contains(point) { return bottomHint(at: point) }
    if case .confirm(let confirm) = state.overlay {
      return dialog(confirm).hint(at: point, in: layout.area)
    }
    guard let frame = boxFrame else { return nil }
    return Box(title: "", hints: buttons(width: frame.width)).hint(at: point, in: frame)
  }

  /// Returns the hint at a point of the bottom line, or `nil` if it shows none.
  private func bottomHint(at point: Point) -> HintLine.Hint? {
    guard let hints = bottomHints else { return nil }
    return hints.hint(at: point.x - layout.bottom.x - 1, width: layout.bottom.width - 2)
  }
}
