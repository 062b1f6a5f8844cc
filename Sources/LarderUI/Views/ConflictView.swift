import LarderCore
import TerminalUI

extension BrowserView {
  /// Draws the values of an entry that changed since it was read.
  func draw(_ conflict: ConflictModel, _ screen: inout Screen) {
    guard let parts = layout.comparison else { return }
    let key = Sanitizer.display(conflict.title)
    let nothing = conflict.step == nil ? "written" : "undone or redone"
    draw(
      conflict.comparison, parts, scroll: conflict.scroll,
      heading: ComparisonHeading(
        title: conflict.isUnderneath ? "Changed underneath the cache" : "Changed by someone else",
        isDanger: true,
        long: conflict.isUnderneath
          ? "Underneath, \(key) is not what is cached. Nothing was \(nothing)."
          : "\(key) is not what \(conflict.step.map { "step \($0) left" } ?? "was read"). "
            + "Nothing was \(nothing).",
        short: "\(key) was changed"),
      &screen)
  }
}
