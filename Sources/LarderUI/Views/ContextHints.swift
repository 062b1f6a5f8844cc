import LarderModel
import LarderBrowser
import TerminalUI

/// The hints for what is special about the screen, which come before the usual ones.
struct ContextHints {
  private let state: BrowserState

  init(_ state: BrowserState) {
    self.state = state
  }

  /// The hints, the most useful first.
  var hints: [HintLine.Hint] {
    switch state.focus {
    case .stores: undo + calls("open", "open-store")
    case .value: value
    case .keys: list
    }
  }

  private var list: [HintLine.Hint] {
    guard let model = state.keys else { return [] }
    if model.rangeStart != nil {
      return calls("mark-range", as: "mark to here") + [.init(key: "Esc", label: "no range")]
    }
    if !model.marked.isEmpty { return marks(model.marked.count) }
    return undo + filter(model) + cache + grid + tree(model) + watch(model)
  }

  private func marks(_ count: Int) -> [HintLine.Hint] {
    [.init(key: "", label: "\(Thousands.text(count)) marked:")]
      + calls("delete", "copy", "expiry", "rename")
      + [.init(key: "Esc", label: "unmark"), .init(key: ":copy-to", label: "")]
  }

  /// How to leave a filter, and how to mark what it lists.
  private func filter(_ model: KeysModel) -> [HintLine.Hint] {
    guard !model.filterText.isEmpty || model.times?.only != nil else { return [] }
    let count = model.window.entries.count
    let isWhole = model.load == nil && !model.window.hasLater && model.window.offset != nil
    let what = isWhole ? "these \(Thousands.text(count))" : "these"
    return [.init(key: "Esc", label: "all entries")]
      + (count > 0 ? calls("mark-all", as: "mark \(what)") : [])
  }

  private var cache: [HintLine.Hint] {
    state.cache != nil || state.meansStoreCache ? calls("refresh", "evict", "why") : []
  }

  private var grid: [HintLine.Hint] {
    state.shownGrid == nil ? [] : calls("into", "sort", "only-value", "hide-column")
  }

  private func tree(_ model: KeysModel) -> [HintLine.Hint] {
    guard model.shownTree != nil else { return [] }
    let branch = model.selectedBranch == nil ? [] : calls("open-here", as: "only these")
    return calls("open") + branch + calls("tree", as: "list")
  }

  private func watch(_ model: KeysModel) -> [HintLine.Hint] {
    model.watch == nil ? [] : calls("watch", as: "stop watching")
  }

  private var value: [HintLine.Hint] {
    let column =
      state.value?.openedColumn == nil ? [] : [HintLine.Hint(key: "Esc", label: "all columns")]
    let search = state.value?.search == nil ? [] : calls("find-next", "find-previous")
    return undo + cache + column + search + calls("open", "edit", "copy")
  }

  /// How to undo a change, right after it.
  private var undo: [HintLine.Hint] {
    state.hasJustChanged ? calls("undo") : []
  }

  /// The hints of commands that can be run, as their titles say it.
  private func calls(_ ids: String...) -> [HintLine.Hint] {
    Hints.hints(for: ids.compactMap(Command.named), state)
  }

  /// The hint of a command, if it can be run, in other words.
  private func calls(_ id: String, as label: String) -> [HintLine.Hint] {
    calls(id).map { .init(key: $0.key, label: label) }
  }
}
