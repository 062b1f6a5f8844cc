import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the conflicting versions of an entry.
  func draw(_ conflict: ConflictModel, _ screen: inout Screen) {
    guard let parts = layout.comparison else { return }
    let key = Sanitizer.display(conflict.title)
    let verb = conflict.replay.map { $0.isRedo ? "redone" : "undone" } ?? "written"
    let known = conflict.replay.map { "change \($0.step) left" } ?? "was read"
    draw(
      conflict.comparison, parts, scroll: conflict.scroll,
      heading: ComparisonHeading(
        title: conflict.isInBackingStore
          ? "Changed in the backing store" : "Changed by someone else",
        isDanger: true,
        long: conflict.isInBackingStore
          ? "In the backing store, \(key) is not what is cached. Nothing was \(verb)."
          : "\(key) is not what \(known). Nothing was \(verb).",
        short: "\(key) was changed"),
      &screen)
  }
}
