extension BrowserState {
  /// Marks the selected key, or takes its mark away, and goes on to the next.
  mutating func toggleMark() -> [BrowserEffect] {
    guard let key = keys?.selected?.key else { return [] }
    if keys?.marked.remove(key) == nil { keys?.marked.insert(key) }
    return moveKeys(by: 1)
  }

  /// Begins a range at the selected key, or marks all keys from where it began.
  mutating func markRange() -> [BrowserEffect] {
    guard let model = keys, let key = model.selected?.key else { return [] }
    guard let start = model.rangeStart else {
      keys?.rangeStart = key
      say("V again marks all keys from \(text(of: key)) to the selected one; Esc marks none")
      return []
    }
    keys?.rangeStart = nil
    guard let row = model.window.row(of: start) else {
      say(
        "\(text(of: start)), where the range began, is too far away; nothing was marked", .warning)
      return []
    }
    let rows = min(row, model.cursor.index)...max(row, model.cursor.index)
    let range = model.window.entries.enumerated().filter { rows.contains($0.offset) }
    keys?.marked.formUnion(range.map(\.element.key))
    return []
  }

  /// Takes all marks away; says whether there were any.
  mutating func unmark() -> Bool {
    guard let model = keys, !model.marked.isEmpty || model.rangeStart != nil else { return false }
    keys?.marked = []
    keys?.rangeStart = nil
    say("no key is marked any more")
    return true
  }

  /// Asks whether everything that is marked is to be deleted.
  mutating func askToDeleteMarked() -> [BrowserEffect] {
    guard let model = keys else { return [] }
    let marked = model.marked.sorted()
    guard let first = marked.first else { return [] }
    overlay = .confirm(
      ConfirmModel(
        store: model.store.reference, query: EntryQuery(first), marked: marked,
        title: "\(PrefixDeletionModel.entries(marked.count, "marked"))", place: storeTitle))
    return []
  }

  mutating func markedDeleted(
    token: Int, _ result: Result<Int, StoreError>
  ) -> [BrowserEffect] {
    guard case .confirm(let confirm) = overlay, confirm.deleting == token else { return [] }
    overlay = nil
    let isShown = keys?.store.reference == confirm.store
    switch result {
    case .success(let count):
      say("deleted \(PrefixDeletionModel.entries(count))\(wayBack)")
      if isShown { keys?.marked = [] }
    case .failure(.conflict(let theirs)):
      let what = theirs.map { text(of: $0.key) } ?? "an entry"
      say("\(what) was changed by someone else just now, and was not deleted", .error)
    case .failure(let error): say(error.message, .error)
    }
    return listChanged(confirm.store)
  }
}
