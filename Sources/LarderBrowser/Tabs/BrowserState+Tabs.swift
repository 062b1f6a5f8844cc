import LarderModel

extension BrowserState {
  /// The current tab, with the state that is needed to show it again.
  var shownTab: TabModel {
    get {
      var tab = tab
      tab.row = stores.place
      tab.viewport = viewport
      return tab
    }
    set {
      tab = newValue
      (tab.row, tab.viewport) = (nil, nil)
      if let parked = newValue.viewport { viewport = parked }
      if let place = newValue.row { stores.select(place, height: viewport.stores) }
    }
  }

  /// Opens the current store in a new tab, or another location in it.
  mutating func openTab(_ location: String) -> Effects {
    guard tabs.count < TabsModel.capacity else {
      say(
        Messages.tooManyTabs(tabs.count, close: settings.bindings.call("close-tab")), .warning)
      return []
    }
    guard keys != nil || !location.isEmpty else {
      say(Messages.noStoreForTab, .warning)
      return []
    }
    // A tab without a store is used for the location.
    if keys == nil, awaited == nil, opening == nil { return goTo(location) }
    let tab = parked()
    tabs.add(after: tab)
    let cancels = [Cancel.ofTab]
    if !location.isEmpty {
      shownTab = TabModel(visits: tab.visits)
      return cancels + goTo(location)
    }
    var copy = tab
    copy.keys?.clearMarks()
    copy.keys?.watch = nil
    shownTab = copy
    say(
      Messages.newTab(
        tabs.shown, next: settings.bindings.call("next-tab"),
        previous: settings.bindings.call("previous-tab")))
    return cancels + loadShownTab()
  }

  /// Shows the tab with a number.
  mutating func showTab(_ typed: String) -> Effects {
    guard let number = Int(typed), (1...tabs.count).contains(number) else {
      say(
        typed.isEmpty
          ? Messages.whichTab(count: tabs.count)
          : Messages.noTab(typed, count: tabs.count), .warning)
      return []
    }
    return showTab(number)
  }

  /// Shows the tab at an offset from the current one, wrapping around at the ends.
  mutating func showTab(by step: Int) -> Effects {
    showTab((tabs.shown - 1 + step + tabs.count) % tabs.count + 1)
  }

  private mutating func showTab(_ number: Int) -> Effects {
    guard number != tabs.shown, let tab = tabs.exchange(parked(), for: number) else { return [] }
    shownTab = tab
    return [Cancel.ofTab] + loadShownTab()
  }

  /// Closes the tab with a number, or the current one.
  mutating func closeTab(_ typed: String) -> Effects {
    let number = typed.isEmpty ? tabs.shown : Int(typed) ?? 0
    guard number != tabs.shown else {
      let marks = keys?.marked.count ?? 0
      let effects = leaveShownTab() + dropMistyped()
      sayClosed(marks)
      return effects
    }
    guard let tab = tabs.remove(number) else {
      say(Messages.noTab(typed, count: tabs.count), .warning)
      return []
    }
    sayClosed(tab.keys?.marked.count ?? 0)
    return dropMistyped()
  }

  private mutating func sayClosed(_ marks: Int) {
    say(Messages.closedTab(marks: marks), marks == 0 ? .info : .warning)
  }

  /// Closes the current tab and shows another.
  mutating func leaveShownTab(isBack: Bool = false) -> Effects {
    guard let tab = tabs.replaceShown(isBack: isBack) else { return [] }
    comparing = nil
    shownTab = tab
    return [Cancel.ofTab] + loadShownTab()
  }

  /// Closes tabs whose location cannot be opened, and reports why.
  ///
  /// - Parameters:
  ///   - error: The error message.
  ///   - id: The location that parked tabs are waiting for, or `nil` to close only the current tab.
  ///   - isShown: Whether to close the current tab, too.
  ///   - shown: The current tab with the location it was to show, to be restored in a later
  ///     session.
  /// - Returns: The effects that show another tab in place of the current one.
  mutating func dropTabs(
    as error: String, awaiting id: LocationID? = nil, isShown: Bool, shown: TabModel? = nil
  ) -> Effects {
    let isToGo: (TabModel) -> Bool = { $0.keys == nil && id != nil && $0.awaited?.id == id }
    // The location may exist again in the next session.
    tabs.missing += tabs.parked.filter(isToGo)
    var count = tabs.removeAll(where: isToGo)
    tabs.changeAll { if id != nil, $0.awaited?.id == id { $0.awaited = nil } }
    var effects: Effects = []
    if isShown, keys == nil, let shown, shown.awaited != nil { tabs.missing.append(shown) }
    if isShown, keys == nil, tabs.count > 1 {
      count += 1
      // A command prompt was meant for the tab that is closed.
      if case .prompt(let prompt) = overlay, prompt.purpose is CommandPrompt, !prompt.isTaken {
        overlay = nil
      }
      effects = leaveShownTab(isBack: true)
    }
    say(Messages.closedTabs(count, since: error), .error)
    return effects
  }

  // MARK: Parking

  /// Returns the current tab, ready to be parked.
  private mutating func parked() -> TabModel {
    if keys?.markingAll != nil {
      keys?.markingAll = nil
      say(Messages.noMoreMarked)
    }
    // Pending comparisons and requests must not appear in another tab.
    comparing = nil
    keys?.asking = nil
    _ = dropRemoved()
    keys?.counting = nil
    keys?.forgetRows()
    keys?.tree?.forgetCounts()
    value?.park()
    tab.valueBefore = nil
    return shownTab
  }

  /// Reads the contents of the tab that is now on screen.
  private mutating func loadShownTab() -> Effects {
    let list = readListOfTab()
    // A location that was still opening is shown once it is open.
    if let wanted = awaited, let (id, summary) = stores.loaded(wanted.id) {
      awaited = nil
      focus = .keys
      return list + show(id, wanting: wanted.place(in: summary))
    }
    if let opening { return list + [OpenCollection(store: opening)] }
    return list
  }

  /// Reloads the list and the value, which another tab or program may have changed.
  private mutating func readListOfTab() -> Effects {
    guard let model = keys else { return [] }
    // A closed store is read once it is open again, which may be immediately.
    if model.isAway {
      let drafts = drafts.left[model.store.reference] == nil ? findDrafts(of: model.store) : []
      return attendStore() + findItems(of: model.store) + drafts
    }
    var effects = attendStore() + readSelected()
    let isBegun = model.load?.replacement != nil && model.seeking == nil
    if model.isPaused, !isBegun {
      effects += countBranches()
      say(Messages.searchStopped)
    } else {
      effects += readListAgain()
    }
    if model.watch != nil {
      effects += watchAgain()
      say(Messages.watchingAgain)
    }
    effects += readMarks() + findItems(of: model.store)
    if drafts.left[model.store.reference] == nil { effects += findDrafts(of: model.store) }
    // The total is counted once there is no filter.
    guard model.filter == nil else {
      keys?.total = nil
      return effects + inspectCache()
    }
    return effects + countKeys() + inspectCache()
  }
}
