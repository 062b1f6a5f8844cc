import LarderModel

extension BrowserState {
  /// Starts to read the page that the list needs next, if it needs one.
  mutating func loadNeeded() -> Effects {
    guard let model = keys, let query = model.neededPage(height: viewport.keys) else { return [] }
    return load(query)
  }

  /// Starts to read a page, in place of any that is being read.
  mutating func load(
    _ query: EntryPageQuery, replacement: EntryWindow? = nil
  ) -> Effects {
    guard let reference = keys?.store.reference else { return [] }
    let ticket = ticket { $0.keys?.load?.token }
    keys?.load = .init(token: ticket.token, direction: query.direction, replacement: replacement)
    keys?.failure = nil
    keys?.examined = 0
    if replacement != nil { keys?.undecided = [] }
    if replacement != nil { keys?.orderBefore = nil }
    let tree = keys?.shownTree?.query(query)
    return [LoadPage(store: reference, query: query, tree: tree, ticket: ticket)]
  }

  /// Reads the list again from one of its ends.
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

  /// Makes an entry the only one of the list, selected; its neighbours are read around it.
  mutating func anchorKeys(at entry: Entry) -> Effects {
    guard let model = keys else { return [] }
    // Nothing would take the place of what is shown.
    if model.isAway { return readSelected() }
    keys?.tree?.forgetCounts()
    // Only the store knows its neighbours in another order.
    if model.isSorted { return seekKeys(entry.key) + readSelected() }
    if model.shownTree != nil { keys?.tree?.open(around: entry.key, below: model.scope) }
    var window = EntryWindow.atEnd
    _ = window.append([entry], isLast: false)
    keys?.window = window
    keys?.cursor = ListCursor()
    keys?.load = nil
    // What failed before is asked for again.
    keys?.failure = nil
    keys?.isPaused = false
    keys?.resume = [:]
    keys?.seeking = nil
    return [Cancel(.page), Cancel(.branchCount)] + loadNeeded() + readSelected()
  }

  mutating func pageArrived(_ reply: PageReply) -> Effects {
    guard let load = keys?.load else { return [] }
    let before = keys?.selected?.key
    take(reply, load: load)
    keys?.examined = reply.examined
    keys?.orderBefore = nil
    sayUndecided(reply.undecided)
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

  /// Says that entries which may match are not in the list.
  private mutating func sayUndecided(_ undecided: [EntryKey]) {
    guard !undecided.isEmpty else { return }
    keys?.undecided.formUnion(undecided)
    guard let first = keys?.undecided.min(), let count = keys?.undecided.count else { return }
    let others = count == 1 ? "" : " and \(Thousands.text(count - 1)) more"
    say(
      "the list is not whole: it cannot be told whether \(text(of: first))\(others) "
        + "\(count == 1 ? "matches" : "match")", .warning)
  }

  /// Asks how many entries the store has.
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
    // What goes at the other end is read again from the last row that stays there.
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
    // Of what is away, and of the same list, the old rows are better than none.
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

  /// Moves the selection of the list.
  mutating func moveKeys(by rows: Int) -> Effects {
    guard let model = keys else { return [] }
    return moveKeys(to: model.cursor.index + rows)
  }

  mutating func moveKeys(to row: Int) -> Effects {
    guard let model = keys else { return [] }
    keys?.seeking = nil
    let before = model.selected?.key
    tab.keys?.cursor.select(row, count: model.window.entries.count, height: viewport.keys)
    // Whoever goes on past the last key that a stopped scan found wants the scan to go on.
    if row >= model.window.entries.count || row < 0 { keys?.isPaused = false }
    return (keys?.selected?.key == before ? [] : readSelected()) + loadNeeded() + countBranches()
  }

  /// Goes to the first or the last key of the whole store.
  mutating func jumpKeys(toEnd: Bool) -> Effects {
    guard let model = keys else { return [] }
    let isThere = toEnd ? !model.window.hasLater : !model.window.hasEarlier
    if isThere {
      return moveKeys(to: toEnd ? model.window.entries.count - 1 : 0)
    }
    leaveMark()
    return reloadKeys(atEnd: toEnd)
  }

  /// Lists only the keys that match; the store is asked, not only what is loaded.
  mutating func filterKeys(_ text: String) -> Effects {
    guard let present = keys?.filterText, !present.hasBytes(of: text) else { return [] }
    let isOnScreen = keys?.load?.replacement == nil
    let selected = isOnScreen ? keys?.selected?.key : nil
    if keys?.filter == nil { keys?.selectedBeforeFilter = selected }
    keys?.filterText = text
    keys?.isUnranked = false
    // Whoever has found a key wants to see what is around it, and else what there was before.
    if keys?.filter == nil, let key = selected ?? keys?.selectedBeforeFilter {
      return seekKeys(key)
    }
    guard keys?.filter != nil, keys?.counting != nil else { return reloadKeys() }
    // A store looks for one thing at a time, and the number of its keys can wait.
    keys?.counting = nil
    return [Cancel(.count)] + reloadKeys()
  }

  /// Stops the page that is being read; what it found so far stays.
  mutating func stopScan() -> Effects {
    guard keys?.load != nil else { return [] }
    if let replacement = keys?.load?.replacement { showNothing(but: replacement) }
    keys?.load = nil
    keys?.isPaused = true
    say("stopped after \(keys?.examined ?? 0) keys; going on past the last one resumes")
    return [Cancel(.page)] + stopSeeking()
  }

  /// Shows the list that was to take the place of the present one, of which nothing has come.
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
