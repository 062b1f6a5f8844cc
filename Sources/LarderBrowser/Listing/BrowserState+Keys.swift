import LarderModel

extension BrowserState {
  /// Loads the next page that the list needs, if any.
  mutating func loadNeeded() -> Effects {
    guard let model = keys, let query = model.neededPage(height: viewport.keys) else { return [] }
    return load(query)
  }

  /// Loads a page, replacing any load in progress.
  mutating func load(
    _ query: EntryPageQuery, replacement: EntryWindow? = nil
  ) -> Effects {
    guard let reference = keys?.store.reference else { return [] }
    let ticket = ticket { $0.keys?.load?.token }
    keys?.load = .init(token: ticket.token, direction: query.direction, replacement: replacement)
    keys?.isSample = false
    keys?.failure = nil
    keys?.examined = 0
    if replacement != nil { keys?.undecided = [] }
    if replacement != nil { keys?.orderBefore = nil }
    let tree = keys?.shownTree?.query(query)
    let isFirst =
      query.after == nil && query.filter == nil && query.expiring == nil
      && keys?.window.entries.isEmpty == true
    return [
      LoadPage(store: reference, query: query, tree: tree, showsSample: isFirst, ticket: ticket)
    ]
  }

  /// Reloads the list from its start or end.
  mutating func reloadKeys(atEnd: Bool = false) -> Effects {
    guard let model = keys else { return [] }
    keys?.isPaused = false
    keys?.resume = [:]
    keys?.seeking = nil
    keys?.isRereading = false
    return load(
      model.page(atEnd ? .backward : .forward, after: nil),
      replacement: atEnd ? .atEnd : EntryWindow())
  }

  /// Makes an entry the only, selected one of the list, and loads its neighbors.
  mutating func anchorKeys(at entry: Entry) -> Effects {
    guard let model = keys else { return [] }
    // While the process is away, nothing can be loaded to replace the rows.
    if model.isAway { return readSelected() }
    keys?.tree?.forgetCounts()
    // In another order, only the store knows the neighbors.
    if model.isSorted { return seekKeys(entry.key) + readSelected() }
    if model.shownTree != nil { keys?.tree?.open(around: entry.key, below: model.scope) }
    var window = EntryWindow.atEnd
    _ = window.append([entry], isLast: false)
    keys?.window = window
    keys?.cursor = ListCursor()
    keys?.load = nil
    // Retry what failed before.
    keys?.failure = nil
    keys?.isPaused = false
    keys?.resume = [:]
    keys?.seeking = nil
    return [Cancel(.page), Cancel(.branchCount)] + loadNeeded() + readSelected()
  }

  /// Shows a sample in no particular order until the first page arrives.
  mutating func sampleArrived(_ entries: [Entry]) -> Effects {
    guard let load = keys?.load, keys?.window.entries.isEmpty == true else { return [] }
    keys?.load?.replacement = load.replacement ?? EntryWindow()
    var window = EntryWindow()
    _ = window.append(entries, isLast: false)
    keys?.window = window
    keys?.isSample = true
    return readSelected() + (keys?.counting == nil ? countKeys() : [])
  }

  mutating func pageArrived(_ reply: PageReply) -> Effects {
    guard let load = keys?.load else { return [] }
    let before = keys?.selected?.key
    let sought = keys?.isSample == true && keys?.cursor.index != 0 ? before : nil
    keys?.isSample = false
    take(reply, load: load)
    // The user has selected an entry before the order was known.
    if let sought { return seekKeys(sought) }
    keys?.examined = reply.examined
    keys?.orderBefore = nil
    warnUndecided(reply.undecided)
    keys?.resume[load.direction] = reply.isEnd ? nil : reply.position
    keys?.load = reply.isLast ? nil : .init(token: load.token, direction: load.direction)
    var effects: Effects
    if keys?.seeking != nil {
      effects = soughtPageArrived(reply, isAfterKey: load.direction == .forward)
    } else {
      effects = keys?.selected?.key == before ? [] : readSelected()
      if keys?.selected == nil { value = nil }
      if reply.isLast { effects += loadNeeded() }
    }
    if reply.isLast, keys?.filter == nil, keys?.total == nil, keys?.counting == nil {
      effects += countKeys()
    }
    return effects + countBranches()
  }

  /// Warns that entries are missing from the list because it is not known whether they match.
  private mutating func warnUndecided(_ undecided: [EntryKey]) {
    guard !undecided.isEmpty else { return }
    keys?.undecided.formUnion(undecided)
    guard let first = keys?.undecided.min(), let count = keys?.undecided.count else { return }
    say(Messages.incompleteList(text(of: first), others: count - 1), .warning)
  }

  /// Requests the number of entries in the store.
  mutating func countKeys() -> Effects {
    guard let reference = keys?.store.reference else { return [] }
    let ticket = ticket { $0.keys?.counting }
    keys?.counting = ticket.token
    return [CountEntries(store: reference, prefix: keys?.scope ?? "", ticket: ticket)] + sumTimes()
  }

  private mutating func take(_ reply: PageReply, load: KeysModel.Load) {
    let height = viewport.keys
    guard var window = load.replacement ?? keys?.window, var cursor = keys?.cursor else { return }
    if load.replacement != nil { cursor = ListCursor() }
    // Entries dropped at the other end are read again after the outermost row left there.
    if window.entries.count + reply.entries.count > EntryWindow.capacity {
      keys?.resume[load.direction.opposite] = nil
    }
    switch load.direction {
    case .forward:
      let shift = window.append(reply.entries, isLast: reply.isEnd)
      cursor.shift(by: shift, count: window.entries.count, height: height)
    case .backward:
      let shift = window.prepend(reply.entries, isFirst: reply.isEnd)
      if load.replacement != nil {
        cursor.select(window.entries.count - 1, count: window.entries.count, height: height)
      } else {
        cursor.shift(by: shift, count: window.entries.count, height: height)
      }
    }
    keys?.window = window
    keys?.cursor = cursor
  }

  mutating func pageFailed(_ error: StoreError) -> Effects {
    guard let load = keys?.load else { return [] }
    keys?.load = nil
    if case .notFound = error, let key = load.sought { return soughtKeyIsGone(key) }
    keys?.seeking = nil
    // When a process leaves, or the same list is reloaded, the old rows are better than none.
    let staysOnScreen =
      keys?.isRereading == true || keys?.store.capabilities.contains(.departs) == true
    keys?.isRereading = false
    if let replacement = load.replacement, !staysOnScreen { showNothing(but: replacement) }
    guard error != .cancelled else { return [] }
    keys?.failure = error
    say(error.message, .error)
    return []
  }

  mutating func counted(_ total: KeysModel.Total) -> Effects {
    keys?.counting = nil
    keys?.total = total
    return []
  }

  /// Moves the selection in the list.
  mutating func moveKeys(by rows: Int) -> Effects {
    guard let model = keys else { return [] }
    return moveKeys(to: model.cursor.index + rows)
  }

  mutating func moveKeys(to row: Int) -> Effects {
    guard let model = keys else { return [] }
    keys?.seeking = nil
    let before = model.selected?.key
    tab.keys?.cursor.select(row, count: model.window.entries.count, height: viewport.keys)
    // Moving past the last row of a stopped scan resumes it.
    if row >= model.window.entries.count || row < 0 { keys?.isPaused = false }
    return (keys?.selected?.key == before ? [] : readSelected()) + loadNeeded() + countBranches()
  }

  /// Selects the first or last key of the whole store.
  mutating func jumpKeys(toEnd: Bool) -> Effects {
    guard let model = keys else { return [] }
    let isThere = toEnd ? !model.window.hasLater : !model.window.hasEarlier
    if isThere {
      return moveKeys(to: toEnd ? model.window.entries.count - 1 : 0)
    }
    leaveMark()
    return reloadKeys(atEnd: toEnd)
  }

  /// Filters the keys in the store, not only those that are loaded.
  mutating func filterKeys(_ text: String) -> Effects {
    guard let present = keys?.filterText, !present.hasBytes(of: text) else { return [] }
    let isOnScreen = keys?.load?.replacement == nil
    let selected = isOnScreen ? keys?.selected?.key : nil
    if keys?.filter == nil { keys?.selectedBeforeFilter = selected }
    keys?.filterText = text
    keys?.isUnranked = false
    // Without a filter, the list is shown around the key that was found, or else the one selected
    // before.
    if keys?.filter == nil, let key = selected ?? keys?.selectedBeforeFilter {
      return seekKeys(key)
    }
    guard keys?.filter != nil, keys?.counting != nil else { return reloadKeys() }
    // A store runs one scan at a time, and the count can wait.
    keys?.counting = nil
    return [Cancel(.count)] + reloadKeys()
  }

  /// Stops loading the current page, but keeps the rows found so far.
  mutating func stopScan() -> Effects {
    guard keys?.load != nil else { return [] }
    if let replacement = keys?.load?.replacement { showNothing(but: replacement) }
    keys?.load = nil
    keys?.isPaused = true
    say(Messages.stoppedScan(after: keys?.examined ?? 0, continues: true))
    return [Cancel(.page)] + stopSeeking()
  }

  /// Shows the still empty replacement for the current list.
  mutating func showNothing(but replacement: EntryWindow) {
    keys?.window = replacement
    keys?.cursor = ListCursor()
    value = nil
  }
}

extension EntryPageQuery.Direction {
  fileprivate var opposite: Self {
    switch self {
    case .forward: .backward
    case .backward: .forward
    }
  }
}
