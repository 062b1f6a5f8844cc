import LarderModel

extension BrowserState {
  /// The tab that is shown, with where it is to be shown again.
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

  /// Shows the store in a tab of its own, too, or in that tab another location.
  mutating func openTab(_ location: String) -> Effects {
    guard tabs.count < TabsModel.capacity else {
      say(
        "there are \(tabs.count) tabs; \(settings.bindings.call("close-tab")) closes one", .warning)
      return []
    }
    guard keys != nil || !location.isEmpty else {
      say("no store is open; :new-tab LOCATION opens one", .warning)
      return []
    }
    // One that shows nothing has room for it.
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
    let (next, previous) = (
      settings.bindings.call("next-tab"), settings.bindings.call("previous-tab")
    )
    say("the same store in tab \(tabs.shown); \(next) and \(previous) go from tab to tab")
    return cancels + goOnWithTab()
  }

  /// Shows the tab of a number.
  mutating func showTab(_ typed: String) -> Effects {
    guard let number = Int(typed), (1...tabs.count).contains(number) else {
      say(
        typed.isEmpty
          ? "which tab? :tab 1 to :tab \(tabs.count)"
          : "there is no tab “\(typed)”; the last one is \(tabs.count)", .warning)
      return []
    }
    return showTab(number)
  }

  /// Shows the tab that many places further on; after the last comes the first.
  mutating func showTab(by step: Int) -> Effects {
    showTab((tabs.shown - 1 + step + tabs.count) % tabs.count + 1)
  }

  private mutating func showTab(_ number: Int) -> Effects {
    guard number != tabs.shown, let tab = tabs.exchange(parked(), for: number) else { return [] }
    shownTab = tab
    return [Cancel.ofTab] + goOnWithTab()
  }

  /// Closes the tab of a number, or the one that is shown.
  mutating func closeTab(_ typed: String) -> Effects {
    let number = typed.isEmpty ? tabs.shown : Int(typed) ?? 0
    guard number != tabs.shown else {
      let marks = keys?.marked.count ?? 0
      let effects = leaveShownTab() + dropMistyped()
      sayClosed(marks)
      return effects
    }
    guard let tab = tabs.remove(number) else {
      say("there is no tab “\(typed)”; the last one is \(tabs.count)", .warning)
      return []
    }
    sayClosed(tab.keys?.marked.count ?? 0)
    return dropMistyped()
  }

  private mutating func sayClosed(_ marks: Int) {
    let lost =
      marks == 1
      ? "; the mark of 1 key went with it" : "; the marks of \(Self.keys(marks)) went with it"
    say("closed the tab" + (marks == 0 ? "" : lost), marks == 0 ? .info : .warning)
  }

  /// Lets the tab go that is shown, and shows the next one.
  mutating func leaveShownTab(isBack: Bool = false) -> Effects {
    guard let tab = tabs.replaceShown(isBack: isBack) else { return [] }
    comparing = nil
    shownTab = tab
    return [Cancel.ofTab] + goOnWithTab()
  }

  /// Lets tabs go that have shown nothing yet, and cannot, and says why.
  ///
  /// - Parameters:
  ///   - error: Why they cannot.
  ///   - id: The location that parked tabs wait for; nil for the shown tab alone.
  ///   - isShown: Whether it is the shown one, too.
  ///   - shown: What that one was to show, to be kept for a later start.
  /// - Returns: What shows another tab in the place of the one that was shown.
  mutating func dropTabs(
    as error: String, awaiting id: LocationID? = nil, isShown: Bool, shown: TabModel? = nil
  ) -> Effects {
    let isToGo: (TabModel) -> Bool = { $0.keys == nil && id != nil && $0.awaited?.id == id }
    // The next start may find what is missing now.
    tabs.missing += tabs.parked.filter(isToGo)
    var count = tabs.removeAll(where: isToGo)
    tabs.changeAll { if id != nil, $0.awaited?.id == id { $0.awaited = nil } }
    var effects: Effects = []
    if isShown, keys == nil, let shown, shown.awaited != nil { tabs.missing.append(shown) }
    if isShown, keys == nil, tabs.count > 1 {
      count += 1
      // A command that is being typed was meant for the tab that goes.
      if case .prompt(let prompt) = overlay, prompt.purpose is CommandPrompt, !prompt.isTaken {
        overlay = nil
      }
      effects = leaveShownTab(isBack: true)
    }
    let closed = count == 1 ? "; its tab was closed" : "; its \(count) tabs were closed"
    say(error + (count == 0 ? "" : closed), .error)
    return effects
  }

  // MARK: Parking

  /// The tab that is shown, as it is left.
  private mutating func parked() -> TabModel {
    if keys?.markingAll != nil {
      keys?.markingAll = nil
      say("no further key was marked")
    }
    // What is compared or asked was chosen here, and is not shown over another tab.
    comparing = nil
    keys?.asking = nil
    _ = dropRemoved()
    keys?.counting = nil
    keys?.forgetRows()
    keys?.tree?.forgetCounts()
    value?.park()
    return shownTab
  }

  /// Reads what the tab shows that has just come on screen.
  private mutating func goOnWithTab() -> Effects {
    let list = readListOfTab()
    // What was to be shown in its place still is.
    if let wanted = awaited, let (id, summary) = stores.loaded(wanted.id) {
      awaited = nil
      focus = .keys
      return list + show(id, wanting: wanted.place(in: summary))
    }
    if let opening { return list + [OpenCollection(store: opening)] }
    return list
  }

  /// Reads the list and the value again: both may have been changed from another tab or by others.
  private mutating func readListOfTab() -> Effects {
    guard let model = keys else { return [] }
    // It is read once it is open again, which it may be at once.
    if model.isAway {
      let drafts = drafts.left[model.store.reference] == nil ? findDrafts(of: model.store) : []
      return attendStore() + findBookmarks(of: model.store) + drafts
    }
    var effects = attendStore() + readSelected()
    let isBegun = model.load?.replacement != nil && model.seeking == nil
    if model.isPaused, !isBegun {
      effects += countBranches()
      say("the search was stopped here; what it found may have been changed since")
    } else {
      effects += readListAgain()
    }
    if model.watch != nil {
      effects += watchAgain()
      say("watching again; what others changed while the tab was not shown is not marked")
    }
    effects += readMarks() + findBookmarks(of: model.store)
    if drafts.left[model.store.reference] == nil { effects += findDrafts(of: model.store) }
    // How many there are in all is asked for once there is no filter any more.
    guard model.filter == nil else {
      keys?.total = nil
      return effects + inspectCache()
    }
    return effects + countKeys() + inspectCache()
  }
}
