import LarderFormats
import LarderModel
import LarderBrowser
import TerminalUI

extension BrowserView {
  /// Draws the status line, which shows the store, the number of loaded keys and pending
  /// operations.
  func drawStatus(_ screen: inout Screen) {
    let line = layout.status
    guard !line.isEmpty else { return }
    screen.fill(line, style: theme[.status])
    var x = line.x + 1
    for (text, role) in statusParts where !text.isEmpty {
      var style = theme[role]
      style.background = role == .status ? theme[.status].background : style.background
      let shown = TextCut.truncated(text, to: line.maxX - x)
      x += screen.put(shown, at: Point(x: x, y: line.y), style: style)
      x += 2
      if x >= line.maxX { break }
    }
  }

  private var statusParts: [(text: String, role: ThemeRole)] {
    guard let model = state.keys else {
      return [(state.opening == nil ? Messages.noStoreOpen : Messages.opening, .status)]
    }
    if case .prompt(let prompt) = state.overlay, prompt.purpose is FilterPrompt {
      let filter = model.store.filter(prompt.buffer.text)
      return [
        (running(model), .statusFilter), (count(model), .status),
        (filter.doubt ?? "", .messageWarning), (filter.spoken, .statusFilter),
      ]
    }
    let isReadOnly = state.settings.isReadOnly || !model.store.isWritable
    return [
      (state.isProtected ? "PROTECTED" : "", .dialogDanger),
      (tabNumber, .statusMode),
      (model.store.kind.name, .statusMode),
      (isReadOnly ? "read-only" : "writable", isReadOnly ? .statusReadonly : .status),
      (model.isAway ? "away" : "", .statusReadonly),
      (running(model), .statusFilter),
      (state.typedCount.map { "\($0)…" } ?? "", .statusMode),
      (count(model), .status),
      (marks(model), .statusFilter),
      (
        model.scope.isEmpty ? "" : Messages.scope(Sanitizer.display(model.scope)), .statusFilter
      ),
      (model.filterText.isEmpty ? "" : "/\(model.filterText)", .statusFilter),
      (model.shownOrder.mark ?? "", .statusFilter),
      (model.isPaused ? "stopped" : "", .statusFilter),
      (state.cache == nil ? "" : "read-through", .statusMode),
      (model.times == nil || state.cache != nil ? "" : "times", .statusMode),
      (model.times?.only.map { Messages.only($0.state.rawValue) } ?? "", .statusFilter),
      (watch(model), .statusMode),
      (state.focus == .value ? valuePosition.map(Messages.rows) ?? "" : "", .status),
      (valuePath, .statusMode),
      (model.store.location.description, .status),
    ]
  }

  /// Returns the state of a watch, with the counts of changes.
  private func watch(_ model: KeysModel) -> String {
    guard let summary = model.watch?.log.summary else { return "" }
    return Messages.watching(summary)
  }

  /// The number of the tab, if there is no room for the tab line.
  private var tabNumber: String {
    layout.tabs == nil && state.tabs.count > 1
      ? Messages.tab(state.tabs.shown, of: state.tabs.count) : ""
  }

  /// The key path of the selection in a focused value.
  private var valuePath: String {
    state.focus == .value && state.value?.tree != nil ? state.value?.path ?? "" : ""
  }

  /// Returns the number of the selected key and the total.
  private func count(_ model: KeysModel) -> String {
    // Removed entries stay visible for a while, but are not counted.
    let loaded = model.window.entries.count { !model.isGone($0) }
    let isTree = model.shownTree != nil
    let ordinal = isTree ? nil : model.presentOrdinal
    var text = ordinal.map { Thousands.text($0) + " of " } ?? ""
    // The list may already have keys that were added since they were counted.
    let listed = isTree ? 0 : max(ordinal ?? 0, (model.window.offset ?? 0) + loaded)
    let number: Int
    switch model.total {
    case .exactly(let total) where model.filterText.isEmpty && model.times?.only == nil:
      number = max(total, listed)
      text += Thousands.text(number)
    case .about(let total)
    where model.filterText.isEmpty && (model.window.hasLater || model.window.offset == nil):
      number = max(total, loaded + 1)
      text += Messages.about(number)
    case .about(let total) where isTree:
      number = total
      text += Messages.about(number)
    case nil where isTree: return Messages.counting
    default:
      number = (model.window.offset ?? 0) + loaded
      let isWhole = !model.window.hasLater && model.window.offset != nil
      text += Thousands.text(number) + (isWhole ? "" : "+")
    }
    return text + (number == 1 ? " entry" : " entries")
  }

  private func marks(_ model: KeysModel) -> String {
    let count = model.marked.isEmpty ? "" : Messages.marked(model.marked.count)
    guard model.rangeStart != nil else { return count }
    let range = Messages.range(model.rangeCount)
    return count.isEmpty ? range : "\(count), \(range)"
  }

  /// Returns the progress of a bulk change, which reads everything before the first write.
  func text(of work: BulkChangeModel) -> String {
    if work.isStopping { return Messages.stopping }
    let verb =
      switch work.kind {
      case .deletion: "deleting"
      case .copy: "copying"
      case .move: "moving"
      case .import: "importing"
      case .rename: "renaming"
      case .expiry: "writing"
      case .refresh: "refreshing"
      case .eviction: "evicting"
      }
    let (read, changed) = (work.report.read, work.report.changed)
    // A store that makes the change in one step reports no progress.
    guard max(read, changed) > 0 else { return verb + "…" }
    guard let total = work.total else {
      return changed == 0 ? Messages.progress("reading", read) : Messages.progress(verb, changed)
    }
    // Moved entries are deleted once all have been copied.
    let isLeaving = work.kind == .move && changed > total
    let step =
      changed == 0 ? "reading" : isLeaving ? "deleting" : work.kind == .move ? "copying" : verb
    let count = changed == 0 ? read : isLeaving ? changed - total : changed
    return Messages.progress(step, count, of: total)
  }

  private func running(_ model: KeysModel) -> String {
    if let work = state.work { return text(of: work) }
    if model.markingAll != nil { return Messages.progress("marking") }
    if model.asking != nil { return Messages.progress("reading") }
    if state.comparing != nil { return Messages.progress("comparing") }
    if state.exporting != nil { return Messages.progress("reading") }
    if state.value?.isMoving == true { return Messages.progress("searching") }
    if let replay = state.undo.replaying {
      return replay.isRedo ? Messages.redoing : Messages.undoing
    }
    if state.undo.forcedReplay != nil { return Messages.writing }
    if model.load != nil, model.isSorted || model.isSample {
      let verb = model.filter == nil ? "sorting" : "searching"
      return Messages.progress(
        verb, model.examined, ofAbout: model.isSample ? model.total?.number : nil)
    }
    guard model.load != nil, model.filter != nil else { return "" }
    return Messages.progress("searching", model.examined)
  }
}
