import LarderModel

extension BrowserState {
  /// Shows the keys as a tree, or as a list again; the selected key stays in view.
  ///
  /// - Parameter typed: What is to end a branch, perhaps in quotes; empty for what the keys seem to
  ///   be parted by.
  /// - Returns: The effects.
  mutating func toggleTree(_ typed: String) -> Effects {
    // A space can only be typed in quotes.
    let delimiter = EntryKey.unquoted(typed[...]) ?? typed
    guard let model = keys else { return [] }
    if model.tree != nil, delimiter.isEmpty {
      keys?.tree = nil
      say("all keys in one list")
      return [Cancel(.branchCount)] + seekOrReload(model.selected?.key)
    }
    let keysRead = model.window.entries.lazy.map(\.key).filter { $0.branchPrefix == nil }
    let wanted =
      delimiter.isEmpty ? settings.delimiter ?? model.store.kind.delimiter ?? "" : delimiter
    guard let mark = wanted.isEmpty ? TreeModel.delimiter(of: keysRead) : wanted else {
      say(
        "the keys that are read have no parts: none of "
          + "\(TreeModel.delimiters.filter { $0 != " " }.joined(separator: " ")) is in them; "
          + ":tree X makes X what parts them, and :tree \" \" a space", .warning)
      return []
    }
    keys?.tree = TreeModel(delimiter: mark)
    let order = model.order == .key ? "" : ", in the order of the keys"
    say("a tree of keys\(order), parted by “\(mark)”; :tree X takes X instead")
    // What was a branch may be none now.
    let key = model.selected?.key
    return [Cancel(.branchCount)]
      + seekOrReload(key.map { $0.branchPrefix.map(EntryKey.text) ?? $0 })
  }

  /// Opens or closes the selected branch.
  ///
  /// - Parameter isOpening: What is to become of it; nil for what it is not.
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

  /// Closes the selected branch where it is open, or goes to the one around the selected row.
  ///
  /// - Returns: What to do; nil where there is no branch around the row.
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

  /// Lists only the keys with a prefix, without it; new keys get it.
  ///
  /// - Parameter typed: The prefix; empty for the selected branch, or the one around the key.
  /// - Returns: The effects.
  mutating func openHere(_ typed: String) -> Effects {
    guard let model = keys else { return [] }
    let prefix = typed.isEmpty ? model.branchToOpen : typed
    guard let prefix else {
      say(
        "the selected key has no part that other keys could share; :open-here PREFIX names one",
        .warning)
      return []
    }
    let key = model.selected?.key
    return show(scope: prefix, selecting: key?.branchPrefix == nil ? key : nil)
  }

  /// Lists the keys of the branch around the scope.
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
    say(scope.isEmpty ? "all keys of the store" : "only keys that begin with “\(scope)”")
    return cancels + seekOrReload(key)
  }

  /// Makes a prefix the scope: what was counted and marked was that of another one.
  ///
  /// - Parameter scope: The prefix.
  /// - Returns: What ends the counting of the keys of the present scope; nothing where it is the same.
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

  /// Asks what is in the branches on screen of which that is not known; what is asked already goes
  /// on as long as one of the branches that it is about is to be seen.
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

  /// Asks again what is in the branches around keys whose values have become others.
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
  /// The prefix that “open here” means: the selected branch, or the one around the selected key.
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
