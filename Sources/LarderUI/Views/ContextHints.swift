import LarderModel
import LarderBrowser
import TerminalUI

/// The hints for the current context, which precede the general ones.
struct ContextHints {
  private let state: BrowserState

  init(_ state: BrowserState) {
    self.state = state
  }

  /// The hints, the most useful first.
  var hints: [HintLine.Hint] {
    switch state.focus {
    case .stores: marks(ofStores: state.stores.marked) + undo + calls("open", "open-store")
    case .value: value
    case .keys: list
    }
  }

  private var list: [HintLine.Hint] {
    guard let model = state.keys else { return [] }
    if model.rangeStart != nil {
      return calls("mark-range", as: Messages.Hint.markToHere)
        + [.init(key: "Esc", label: Messages.Hint.noRange)]
    }
    if !model.marked.isEmpty { return marks(model.marked.count) }
    return undo + filter(model) + scope(model) + expired(model) + cache + grid
      + tree(model) + watch(model)
  }

  private func marks(_ count: Int) -> [HintLine.Hint] {
    [.init(key: "", label: Messages.Hint.marked(count))]
      + calls("delete", "copy", "expiry", "rename")
      + [.init(key: "Esc", label: "unmark"), .init(key: ":copy-to", label: "")]
  }

  /// Returns hints for comparing the marked stores.
  private func marks(ofStores marked: Set<StoreReference>) -> [HintLine.Hint] {
    guard !marked.isEmpty else { return [] }
    return [.init(key: "", label: Messages.Hint.marked(marked.count))]
      + (marked.count <= 2 ? calls("compare-stores", as: "compare") : [])
      + calls("mark-store", as: Messages.Hint.markStore)
  }

  /// Returns hints for leaving a filter and marking the listed entries.
  private func filter(_ model: KeysModel) -> [HintLine.Hint] {
    guard !model.filterText.isEmpty || model.times?.only != nil else { return [] }
    let count = model.window.entries.count
    let isWhole = model.load == nil && !model.window.hasLater && model.window.offset != nil
    let mark = Messages.Hint.mark(these: isWhole ? count : nil)
    return [.init(key: "Esc", label: Messages.Hint.allEntries)]
      + (count > 0 ? calls("mark-all", as: mark) : [])
  }

  /// Returns the hint for leaving a list of the entries with a prefix.
  private func scope(_ model: KeysModel) -> [HintLine.Hint] {
    model.scope.isEmpty ? [] : calls("leave-scope", as: Messages.Hint.leaveScope)
  }

  /// Returns the hint for deleting the expired entries, if there are any.
  private func expired(_ model: KeysModel) -> [HintLine.Hint] {
    let count = state.clock.time.flatMap { model.times?.totals?.expired(at: $0) } ?? 0
    return count > 0 ? calls("delete-expired") : []
  }

  private var cache: [HintLine.Hint] {
    state.cache != nil || state.meansStoreCache ? calls("refresh", "evict", "why") : []
  }

  private var grid: [HintLine.Hint] {
    guard state.shownGrid != nil else { return [] }
    // Without a selected column, it is not obvious which one is edited.
    let edit = state.columnToEdit.map { Messages.Hint.edit(Sanitizer.display($0)) }
    return calls("into", "sort", "only-value") + (edit.map { calls("edit", as: $0) } ?? [])
  }

  /// The hint for switching between grid and list, which is shown if there is room after the others.
  var last: [HintLine.Hint] {
    guard state.focus == .keys, let model = state.keys, model.grid != nil, model.marked.isEmpty
    else { return [] }
    let label = state.shownGrid == nil ? Messages.Hint.columns : Messages.Hint.list
    return [.init(key: ":grid", label: label)]
  }

  private func tree(_ model: KeysModel) -> [HintLine.Hint] {
    guard model.shownTree != nil else { return [] }
    let branch =
      model.selectedBranch == nil
      ? [] : calls("open-here", as: Messages.Hint.onlyThese) + calls("rename")
    return calls("open") + branch + calls("tree", as: "list")
  }

  private func watch(_ model: KeysModel) -> [HintLine.Hint] {
    model.watch == nil ? [] : calls("watch", as: Messages.Hint.stopWatching)
  }

  private var value: [HintLine.Hint] {
    let column =
      state.value?.openedColumn == nil
      ? [] : [HintLine.Hint(key: "Esc", label: Messages.Hint.allColumns)]
    let search = state.value?.search == nil ? [] : calls("find-next", "find-previous")
    return undo + cache + column + search + calls("toggle", "open", "edit", "copy")
  }

  /// The hint for undo, right after a change.
  private var undo: [HintLine.Hint] {
    state.hasJustChanged ? calls("undo") : []
  }

  /// Returns the hints for available commands, with their titles.
  private func calls(_ ids: String...) -> [HintLine.Hint] {
    Hints.hints(for: ids.compactMap(Command.named), state)
  }

  /// Returns the hint for an available command, with another label.
  private func calls(_ id: String, as label: String) -> [HintLine.Hint] {
    calls(id).map { .init(key: $0.key, label: label) }
  }
}
