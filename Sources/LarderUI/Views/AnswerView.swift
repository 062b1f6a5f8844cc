import LarderBrowser
import LarderModel
package import TerminalUI

extension BrowserView {
  /// The key that answers what is asked, where its hint is drawn at a point; nil for none.
  package func answer(at point: Point) -> Key? {
    let hint: HintLine.Hint?
    switch state.overlay {
    case .confirm(let confirm): hint = dialog(confirm).hint(at: point, in: layout.area)
    case .conflict, .comparison:
      guard let parts = layout.comparison, !parts.answers.isEmpty,
        point.y == parts.answers.y
      else { return nil }
      hint = answers(parts).hint(at: point.x - parts.answers.x, width: parts.answers.width)
    default: return nil
    }
    return hint.flatMap { Key($0.key) }
  }
}
