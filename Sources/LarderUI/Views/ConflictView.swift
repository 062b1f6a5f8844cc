import LarderCore
import TerminalUI

extension BrowserView {
  /// Draws the values of an entry that changed since it was read.
  func draw(_ conflict: ConflictModel, _ screen: inout Screen) {
    guard let parts = layout.comparison else { return }
    let key = Sanitizer.display(conflict.title)
    draw(
      conflict.comparison, parts, scroll: conflict.scroll,
      heading: ComparisonHeading(
        title: conflict.isUnderneath ? "Changed underneath the cache" : "Changed by someone else",
        isDanger: true,
        long: conflict.isUnderneath
          ? "Underneath, \(key) is not what is cached. Nothing was written."
          : "\(key) is not what was read. Nothing was written.",
        short: "\(key) was changed"),
      &screen)
  }
}
