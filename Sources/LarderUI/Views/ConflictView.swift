import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the conflicting versions of an entry.
  func draw(_ conflict: ConflictModel, _ screen: inout Screen) {
    guard let parts = layout.comparison else { return }
    let key = Sanitizer.display(conflict.title)
    let verb = conflict.replay.map { $0.isRedo ? "redone" : "undone" } ?? "written"
    draw(
      conflict.comparison, parts, scroll: conflict.scroll,
      heading: ComparisonHeading(
        title: conflict.isInBackingStore
          ? Messages.changedInBackingStore
          : conflict.author.map(Messages.changedByLarder) ?? Messages.changedByOthers,
        isDanger: true,
        long: conflict.isInBackingStore
          ? Messages.differs(key, verb)
          : Messages.changed(key, sinceChange: conflict.replay?.step, verb),
        short: Messages.changed(key)),
      &screen)
  }
}
