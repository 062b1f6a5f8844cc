import LarderBrowser
import LarderModel
package import TerminalUI

extension BrowserView {
  /// The hint that is drawn at a point; nil for none.
  package func hint(at point: Point) -> HintLine.Hint? {
    if layout.bottom.contains(point) { return bottomHint(at: point) }
    if case .confirm(let confirm) = state.overlay {
      return dialog(confirm).hint(at: point, in: layout.area)
    }
    guard let frame = boxFrame else { return nil }
    return Box(title: "", hints: buttons(width: frame.width)).hint(at: point, in: frame)
  }

  /// The hint at a point of the last line, where that shows hints.
  private func bottomHint(at point: Point) -> HintLine.Hint? {
    guard let hints = bottomHints else { return nil }
    return hints.hint(at: point.x - layout.bottom.x - 1, width: layout.bottom.width - 2)
  }
}
