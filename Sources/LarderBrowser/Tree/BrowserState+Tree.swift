import LarderModel

extension BrowserState {
  /// Switches between the key tree and the flat list, and keeps the selected key in view.
  ///
  /// - Parameter typed: The separator, optionally in quotes, or an empty string to detect it from
  ///   the keys.
  /// - Returns: The effects.
  mutating func toggleTree(_ typed: String) -> Effects {
    // A space can only be typed in quotes.
    let delimiter = EntryKey.unquoted(typed[...]) ?? typed
    guard let model = keys else { return [] }
    if model.tree != nil, delimiter.isEmpty {
      keys?.tree = nil
      say(Messages.oneList)
      return [Cancel(.branchCount)] + seekOrReload(model.selected?.key)
    }
    let keysRead = model.window.entries.lazy.map(\.key).filter { $0.branchPrefix == nil }
    let wanted =
      delimiter.isEmpty ? settings.delimiter ?? model.store.kind.delimiter ?? "" : delimiter
    guard let mark = wanted.isEmpty ? TreeModel.delimiter(of: keysRead) : wanted else {
      say(Messages.noSeparator, .warning)
      return []
    }
    keys?.tree = TreeModel(delimiter: mark)
    say(Messages.grouped(by: mark, inKeyOrder: model.order != .key))
    // With another separator, the selected branch may not exist.
    let key = model.selected?.key
    return [Cancel(.branchCount)]
      + seekOrReload(key.map { $0.branchPrefix.map(EntryKey.text) ?? $0 })
  }

  /// Expands or collapses the selected branch.
  ///
  /// - Parameter isOpening: Whether to expand the branch, or `nil` to toggle it.
  /// - Returns: The effects.
  mutating func toggleBranch(isOpening: Bool? = nil) -> Effects {
    guard let model = keys, let branch = model.selected?.key, branch.branchPrefix != nil else {
      return []
    }
    let isOpen = model.tree?.opened.contains(branch) == true
    if isOpening ?? !isOpen {
      guard !isOpen else { return moveKeys(by: 1) }
      keys?.tree?.opened.insert(branch)
    } else {
      keys?.tree?.opened.remove(branch)
    }
    return seekKeys(branch)
  }

  /// Collapses the selected branch if it is expanded, or else selects the parent branch.
  ///
  /// - Returns: The effects, or `nil` if the row has no parent branch.
  mutating func closeBranch() -> Effects? {
    guard let model = keys, let tree = model.shownTree, let key = model.selected?.key else {
      return nil
    }
    if key.branchPrefix != nil, tree.opened.contains(key) { return toggleBranch(isOpening: false) }
    let branches = key.branches(by: tree.delimiter, below: model.scope)
    guard let around = key.branchPrefix == nil ? branches.last : branches.dropLast().last else {
      return nil
    }
    guard let row = model.window.row(of: .branch(around)) else { return seekKeys(.branch(around)) }
    return moveKeys(to: row)
  }

  // MARK: Scope

  /// Limits the list to the keys with a prefix, which is not displayed and is prepended to new
  /// keys.
  ///
  /// - Parameter typed: The prefix, or an empty string for the selected branch or the parent of the
  ///   selected key.
  /// - Returns: The effects.
  mutating func openHere(_ typed: String) -> Effects {
    guard let model = keys else { return [] }
    let prefix = typed.isEmpty ? model.branchToOpen : typed
    guard let prefix else {
      say(Messages.noPrefixToOpen, .warning)
      return []
    }
    let key = model.selected?.key
    return show(scope: prefix, selecting: key?.branchPrefix == nil ? key : nil)
  }

  /// Changes the scope to its parent branch.
  mutating func leaveScope() -> Effects {
    guard let model = keys, !model.scope.isEmpty else { return [] }
    let delimiter = model.tree?.delimiter ?? TreeModel.delimiter(of: [.text(model.scope)]) ?? ""
    let around = EntryKey.branch(model.scope).branches(by: delimiter)
      .last { $0.utf8.count < model.scope.utf8.count }
    return show(scope: around ?? "", selecting: .branch(model.scope))
  }

  private mutating func show(scope: String, selecting key: EntryKey?) -> Effects {
    guard keys != nil else { return [] }
    leaveMark()
    let cancels = change(scope: scope)
    keys?.filterText = ""
    focus = .keys
    say(scope.isEmpty ? Messages.allKeysOfStore : Messages.scope(scope))
    return cancels + seekOrReload(key)
  }

  /// Changes the scope, which discards the counts and marks of the previous one.
  ///
  /// - Parameter scope: The new prefix.
  /// - Returns: The effects that cancel counting in the previous scope, or none if the scope is
  ///   unchanged.
  mutating func change(scope: String) -> Effects {
    guard let model = keys, !model.scope.hasBytes(of: scope) else { return [] }
    keys?.scope = scope
    keys?.total = nil
    keys?.counting = nil
    keys?.tree?.counting = nil
    keys?.loseMarks()
    return [Cancel(.count), Cancel(.branchCount)]
  }

  // MARK: Counts

  /// Requests the sizes of visible branches that are not known.
  ///
  /// A request in progress continues as long as one of its branches is visible.
  mutating func countBranches() -> Effects {
    guard let model = keys, let tree = model.shownTree, model.load == nil else { return [] }
    let shown = model.window.entries.dropFirst(model.cursor.top).prefix(max(1, viewport.keys))
    let unknown = shown.filter(tree.isUncounted).map(\.key)
    if let counting = tree.counting, unknown.contains(where: counting.branches.contains) {
      return []
    }
    let stop: Effects = tree.counting == nil ? [] : [Cancel(.branchCount)]
    keys?.tree?.counting = nil
    guard !unknown.isEmpty else { return stop }
    let ticket = ticket { $0.keys?.tree?.counting?.token }
    keys?.tree?.counting = .init(branches: Set(unknown), token: ticket.token)
    return stop
      + [CountBranches(store: model.store.reference, branches: unknown, ticket: ticket)]
  }

  /// Requests the sizes of the branches around changed keys again.
  mutating func countBranches(around changed: [EntryKey]) -> Effects {
    guard let scope = keys?.scope, keys?.shownTree != nil else { return [] }
    for key in changed { keys?.tree?.forgetSizes(around: key, below: scope) }
    return countBranches()
  }

  mutating func branchesCounted(
    _ sizes: [EntryKey: BranchSize?], isLast: Bool
  ) -> Effects {
    for (branch, size) in sizes {
      keys?.tree?.sizes.updateValue(size, forKey: branch)
      if size?.isMeasuring != true { keys?.tree?.counting?.branches.remove(branch) }
    }
    keys?.tree?.counting?.progress = nil
    guard isLast else { return [] }
    keys?.tree?.counting = nil
    return countBranches()
  }

  mutating func branchProgressed(_ branch: EntryKey, examined: Int) -> Effects {
    keys?.tree?.counting?.progress = .init(branch: branch, count: examined)
    return []
  }
}

extension KeysModel {
  /// The prefix for “open here”: the selected branch, or the one that contains the selected key.
  package var branchToOpen: String? {
    guard let key = selected?.key else { return nil }
    if let prefix = key.branchPrefix { return prefix }
    let loaded = window.entries.lazy.map(\.key)
    let mark = tree?.delimiter ?? TreeModel.delimiter(of: [key]) ?? TreeModel.delimiter(of: loaded)
    guard let mark else { return nil }
    let branches = key.branches(by: mark, below: scope)
    return tree == nil ? branches.first : branches.last
  }
}
