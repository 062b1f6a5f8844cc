extension Command {
  /// The places that have something to scroll.
  private static let readable: Set<Place> = Place.panes.union(Place.lists)
    .union([.help, .conflict, .comparison, .details])

  /// The commands that move the selection.
  static let movement = counted + otherMovement

  /// The movement commands that can have a count.
  static let counted: [Command] = [
    Command(
      "up", "up", help: "Move up, or N rows up if you type N first", keys: ["Up", "k"],
      places: readable, needs: .list
    ) { state, _ in state.move(by: -1) },
    Command(
      "down", "down", help: "Move down, or N rows down if you type N first", keys: ["Down", "j"],
      places: readable, needs: .list
    ) { state, _ in state.move(by: 1) },
    Command(
      "page-up", "page up", help: "Move up a page", keys: ["PgUp", "Ctrl-B"],
      places: readable, needs: .list
    ) { state, _ in state.movePage(by: -1) },
    Command(
      "page-down", "page down", help: "Move down a page",
      keys: ["PgDn", "Ctrl-F"],
      places: readable, needs: .list
    ) { state, _ in state.movePage(by: 1) },
    Command(
      "half-page-up", "half page up", help: "Move up half a page", keys: ["Ctrl-U"],
      places: readable, needs: .list
    ) { state, _ in state.movePage(by: -1, half: true) },
    Command(
      "half-page-down", "half page down", help: "Move down half a page", keys: ["Ctrl-D"],
      places: readable, needs: .list
    ) { state, _ in state.movePage(by: 1, half: true) },
    Command(
      "first", "first", help: "Go to the first entry, or to entry N if you type N first",
      keys: ["g", "Home"], places: readable,
      aliases: ["top", "start"],
      needs: .list
    ) { state, _ in state.jump(toEnd: false) },
    Command(
      "last", "last", help: "Go to the last entry, or to entry N if you type N first",
      keys: ["G", "End"], places: readable,
      aliases: ["bottom", "end"],
      needs: .list
    ) { state, _ in state.jump(toEnd: true) },
  ]

  private static let otherMovement: [Command] = [
    Command(
      "go", "go to key", help: "Go to a key, or to the first key with that prefix",
      keys: ["Ctrl-G"],
      aliases: ["goto", "jump", "find-key", "line"],
      argument: "KEY", needs: .list, unavailable: needsStore
    ) { state, argument in
      if !argument.isEmpty { return state.goToKey(argument) }
      state.overlay = .prompt(PromptModel(GoToPrompt()))
      return []
    },
    Command(
      "go-back", "go back", help: "Go back to where you were before a jump",
      keys: ["[", "Alt-Left"], needs: .list, unavailable: needsStore
    ) { state, _ in state.travel(isBack: true) },
    Command(
      "go-forward", "go forward", help: "Go forward again",
      keys: ["]", "Alt-Right"], needs: .list, unavailable: needsStore
    ) { state, _ in state.travel(isBack: false) },
    Command(
      "bookmarks", "bookmarks", help: "Choose a bookmark and go to it",
      keys: ["B"],
      aliases: ["favourites", "favorites"],
      argument: "KEY", needs: .list, unavailable: needsBookmarks
    ) { state, argument in state.askForBookmark(argument) },
    Command(
      "next-entry", "next", help: "Go to the next match, mark or change", keys: ["n"],
      places: [.keys], needs: .list, unavailable: needsSteps
    ) { state, _ in state.step(by: 1) },
    Command(
      "previous-entry", "previous", help: "Go to the previous match, mark or change",
      keys: ["N"], places: [.keys], needs: .list, unavailable: needsSteps
    ) { state, _ in state.step(by: -1) },
    Command(
      "open", "open", help: "Open or fold the selection, or edit a short column",
      keys: ["Enter"], argument: "LOCATION", isHint: true
    ) { state, argument in state.openSelection(argument) },
    Command(
      "into", "into", help: "Expand, or go to the next column or byte",
      keys: ["l", "Right"]
    ) { state, _ in
      if state.focus == .keys, state.shownGrid != nil { return state.selectColumn(by: 1) ?? [] }
      if state.focus == .value { return state.goInto() }
      return state.focus == .keys && state.keys?.selectedBranch != nil
        ? state.toggleBranch(isOpening: true) : state.openSelection("", opensFiles: false)
    },
    Command(
      "back", "back", help: "Collapse, go to the parent or previous column, or leave",
      keys: ["h", "Left"]
    ) { state, _ in
      if let effects = state.selectColumn(by: -1) { return effects }
      if state.focus == .value {
        if state.goOut() { return [] }
        if let effects = state.closeColumn() { return effects }
      }
      if state.focus == .keys, let effects = state.closeBranch() { return effects }
      state.focus = state.focus == .value ? .keys : .stores
      state.isPaneChosen = true
      return []
    },
    Command(
      "zoom", "zoom", help: "Widen the pane to the full width, or restore the others",
      keys: ["z"],
      aliases: ["maximize", "fullscreen"]
    ) { state, _ in
      state.isZoomed.toggle()
      return []
    },
    Command(
      "next-pane", "next pane", help: "Focus the next pane; 1, 2 and 3 focus one of them",
      keys: ["Tab"],
      isHint: true
    ) { state, _ in state.moveFocus(by: 1) },
    Command(
      "previous-pane", "previous pane", help: "Focus the previous pane",
      keys: ["Shift-Tab"]
    ) { state, _ in state.moveFocus(by: -1) },
  ]
}

extension Command {
  /// Returns the reason that bookmarks are not available, or `nil` if they are.
  static let needsBookmarks: @Sendable (BrowserState) -> String? = { state in
    needsStore(state) ?? state.keys.flatMap { state.itemObstacle($0.store) }
  }
}

extension BrowserState {
  fileprivate mutating func move(by step: Int) -> Effects {
    let rows = step * max(1, typedCount ?? 1)
    if scrollPage(by: rows) { return [] }
    switch overlay {
    case .conflict, .comparison:
      scrollComparison(by: rows)
      return []
    case let overlay? where overlay.list != nil:
      return moveInOverlay(by: rows)
    default: break
    }
    switch focus {
    case .stores:
      stores.cursor.move(by: rows, count: stores.rows.count, height: viewport.stores)
      return openSelectedStore()
    case .keys: return moveKeys(by: rows)
    case .value:
      scrollValue(by: rows)
      return []
    }
  }

  fileprivate mutating func movePage(by pages: Int, half: Bool = false) -> Effects {
    let height =
      switch focus {
      case _ where overlay?.list != nil: viewport.overlay
      case .stores: viewport.stores
      case .keys: viewport.keys
      case .value: viewport.value
      }
    return move(by: pages * max(1, half ? height / 2 : height - 1))
  }

  fileprivate mutating func jump(toEnd: Bool) -> Effects {
    // More rows than any overlay has.
    if overlay != nil { return move(by: toEnd ? 1 << 30 : -(1 << 30)) }
    if typedNumber?.isUsed == true { return [] }
    if let number = takeEntryNumber() {
      return goToRow(number: number)
    }
    return jumpInPane(toEnd: toEnd)
  }

  /// Goes to the row with a number in the focused pane, from 1, or to the last one.
  mutating func goToRow(number: Int) -> Effects {
    if focus == .keys { return goToEntry(number: number) }
    return jumpInPane(toEnd: false) + move(by: number - 1)
  }

  private mutating func jumpInPane(toEnd: Bool) -> Effects {
    switch focus {
    case .stores: return move(by: toEnd ? stores.rows.count : -stores.rows.count)
    case .keys: return jumpKeys(toEnd: toEnd)
    case .value:
      jumpValue(toEnd: toEnd)
      return []
    }
  }

  fileprivate mutating func openSelection(
    _ location: String, opensFiles: Bool = true
  ) -> Effects {
    if !location.isEmpty { return goTo(location) }
    switch focus {
    case .stores:
      isListEntered = true
      isPaneChosen = false
      let effects = openSelectedStore()
      if let id = stores.place?.reference.location,
        case .failed(let error)? = stores.item(id)?.summary
      {
        askPassword(of: id, for: error)
      }
      if effects.isEmpty, keys != nil { focus = .keys }
      return effects
    case .keys:
      guard keys?.selected != nil else { return valueFilterText.map { filterKeys($0) } ?? [] }
      if keys?.selectedBranch != nil { return toggleBranch() }
      if let effects = followReference() { return effects }
      if opensFiles, let effects = openFile() { return effects }
      focus = .value
      if let column = shownGrid?.selected { tab.value?.select(column, height: viewport.value) }
      return cache == nil ? [] : readSelected(through: .cache)
    case .value:
      if let effects = followLink() { return effects }
      if tab.value?.toggleFold(height: viewport.value) == true { return [] }
      if let effects = followReference() { return effects }
      if let effects = openColumn() { return effects }
      return value?.selectsFields == true ? update(.command("edit")) : []
    }
  }

  fileprivate mutating func moveFocus(by step: Int) -> Effects {
    // The list about to get focus is where the user expects to be.
    if keys == nil, !isPaneChosen, opening != nil || stores.isOpening { focus = .keys }
    isPaneChosen = true
    let panes = Focus.allCases
    let place = (panes.firstIndex(of: focus) ?? 0) + step + panes.count
    focus = panes[place % panes.count]
    return []
  }
}

extension Command {
  private static let needsSteps: @Sendable (BrowserState) -> String? = { state in
    if let reason = needsStore(state) { return reason }
    guard let model = state.keys,
      model.watch == nil, model.marked.isEmpty, model.filterText.isEmpty
    else { return nil }
    let bindings = state.settings.bindings
    return Messages.filterFirst(
      filter: bindings.call("filter"), mark: bindings.call("mark"), watch: bindings.call("watch"))
  }
}
