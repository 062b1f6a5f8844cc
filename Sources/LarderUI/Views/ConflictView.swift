import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the conflicting versions of an entry.
  func draw(_ conflict: ConflictModel, _ screen: inout Screen) {
    guard let parts = layout.comparison else { return }
    let key = Sanitizer.display(conflict.title)
    let verb = conflict.replay.map { $0.isRedo ? "redone" : "undone" } ?? "written"
    let known = conflict.replay.map { "after change \($0.step)" } ?? "since you read it"
    draw(
      conflict.comparison, parts, scroll: conflict.scroll,
      heading: ComparisonHeading(
        title: conflict.isInBackingStore
          ? "Changed in the backing store"
          : conflict.author.map { "Changed by larder (change \($0))" }
            ?? "Changed by another program",
        isDanger: true,
        long: conflict.isInBackingStore
          ? "\(key) differs in the backing store. Nothing was \(verb)."
          : "\(key) changed \(known). Nothing was \(verb).",
        short: "\(key) was changed"),
      &screen)
  }
}
