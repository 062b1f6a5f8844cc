import LarderModel

extension BrowserState {
  /// Adds a location and opens it; the first store that is opened is shown.
  package mutating func open(_ text: String) -> Effects {
    let id = stores.add(text)
    return [OpenLocation(id: id, text: text)]
  }

  /// Opens a location and goes to it, even if it is already open.
  mutating func goTo(_ text: String, password: String? = nil) -> Effects {
    let id = stores.addAnother(text)
    awaited = AwaitedLocation(id: id)
    isPaneChosen = false
    return [OpenLocation(id: id, text: text, password: password)]
  }

  /// Removes typed locations that could not be opened, once the user goes elsewhere.
  mutating func dropMistyped(except id: LocationID? = nil) -> Effects {
    let mistyped = stores.mistyped.filter { $0 != id }
    for id in mistyped { stores.remove(id, height: viewport.stores) }
    return mistyped.map { ForgetLocation(id: $0) }
  }

  mutating func opened(
    _ id: LocationID, _ result: Answer<LocationSummary>
  ) -> Effects {
    let wanted = awaited?.id == id ? awaited : nil
    let shown = shownTab
    if wanted != nil { awaited = nil }
    let drops = dropMistyped(except: id)
    if case .success(let summary) = result,
      let known = stores.merge(id, summary, height: viewport.stores)
    {
      tabs.changeAll { tab in
        guard tab.awaited?.id == id else { return }
        tab.awaited?.id = known
        tab.awaited?.name = summary.location
      }
      guard wanted != nil else { return drops + [ForgetLocation(id: id)] }
      focusKeys()
      return drops + [ForgetLocation(id: id)] + show(known, wanting: summary.location)
    }
    stores.receive(id, result)
    var effects = drops
    if case .failure(let error) = result {
      effects += dropTabs(as: error.message, awaiting: id, isShown: wanted != nil, shown: shown)
    }
    let said = message
    let isNothingShown = keys == nil && opening == nil && awaited == nil
    if let wanted, let (id, summary) = stores.loaded(id) {
      focusKeys()
      effects += show(id, wanting: wanted.place(in: summary))
    } else if isNothingShown, let (id, summary) = stores.firstToShow {
      effects += show(id, wanting: summary.location)
    }
    // The error message stays visible even if another store is shown instead.
    if case .failure(let error) = result {
      if message != said { message = said }
      if overlay == nil { askPassword(of: id, for: error) }
    }
    return effects
  }

  /// Shows a location and the specified collection.
  mutating func show(
    _ id: LocationID, wanting location: StoreLocation
  ) -> Effects {
    let rows = stores.rows
    guard let head = rows.firstIndex(where: { $0.reference.location == id }) else { return [] }
    let row = wantedRow(under: head, collection: location.collection, rows: rows)
    stores.cursor.select(row ?? head, count: rows.count, height: viewport.stores)
    guard row != nil else {
      // If the specified collection does not exist, no other one is shown.
      focus = .stores
      return dropTabs(
        as: Messages.noCollection(location.collection ?? "", in: location.path), isShown: true)
    }
    return openSelectedStore()
  }

  /// Returns the row to show: that of the specified collection, or `nil` if it does not exist, or
  /// else the row on screen or the first one.
  private func wantedRow(
    under head: Int, collection wanted: String?, rows: [StoresModel.Row]
  ) -> Int? {
    let collections = rows.indices.filter {
      rows[$0].reference.location == rows[head].reference.location && !rows[$0].isLocation
    }
    guard let first = collections.first else { return head }
    guard let wanted else {
      // The tables beside those of a known program are its settings.
      let known = stores.item(rows[head].reference.location)?.summary.value?.collections.first {
        $0.program != nil
      }
      return collections.first { rows[$0].reference == keys?.store.reference }
        ?? collections.first { rows[$0].reference.collection == known?.name } ?? first
    }
    return collections.first { rows[$0].reference.collection?.hasBytes(of: wanted) == true }
  }

  /// Opens the store of the selected row.
  mutating func openSelectedStore() -> Effects {
    let rows = stores.rows
    guard rows.indices.contains(stores.cursor.index) else { return [] }
    let row = rows[stores.cursor.index]
    guard let item = stores.item(row.reference.location) else { return [] }
    switch item.summary {
    case .failed(let error):
      say(error.message, .error)
      return []
    case .loaded(let summary):
      if row.isLocation, !summary.collections.isEmpty { return [] }
      guard keys?.store.reference != row.reference, opening != row.reference else { return [] }
      opening = row.reference
      return [OpenCollection(store: row.reference, key: visits[row.reference]?.keyChoice)]
    case .idle, .running: return []
    }
  }

  mutating func storeOpened(
    _ reference: StoreReference, _ result: Answer<StoreSummary>
  ) -> Effects {
    guard opening == reference else { return [] }
    opening = nil
    let travelling = travelling?.store == reference ? travelling : nil
    self.travelling = nil
    switch result {
    case .failure(let error): return dropTabs(as: error.message, isShown: true)
    case .success(let summary):
      let isFirst = keys == nil
      let wasWatching = keys?.watch != nil
      let wasAttending = keys?.attending != nil
      // A prompt for the list was meant for the previous store.
      if case .prompt(let prompt) = overlay, prompt.purpose.isAboutList, !prompt.isTaken {
        overlay = nil
      }
      let hadMarks = keys?.marked.isEmpty == false || keys?.lostMarks == .unsaid
      let isRekeyed =
        keys?.store.reference == reference && keys?.store.keyChoice != summary.keyChoice
      if isRekeyed {
        takeOtherKeys(of: summary)
      } else if let model = keys {
        visits[model.store.reference] = JumpList.Visit(model)
        if travelling == nil { leaveMark() }
      }
      let drops = dropMistyped()
      keys = KeysModel(store: summary)
      drafts.left[reference] = nil
      if hadMarks { keys?.lostMarks = .unsaid }
      value = nil
      if cache != nil { cache = CacheModel() }
      if isFirst { focusKeys() }
      if let columns = visits[reference]?.columns { keys?.grid?.arrangement = columns }
      let visit = travelling?.visit ?? visits[reference]
      // A link to a row needs no other order.
      let saved = visits[reference] == nil && travelling == nil ? showSavedGrid() : nil
      let list = visit.map { show($0) } ?? saved ?? loadNeeded()
      return drops + (wasWatching ? [Cancel(.watch)] : [])
        + (wasAttending ? [Cancel(.departure), Cancel(.follow)] : [])
        + list + showUndoubtedTimes() + inspectCache() + attendStore()
        + findDrafts(of: summary) + findItems(of: summary)
    }
  }

  /// Focuses the list of a store that was opened, unless the user has chosen another pane.
  private mutating func focusKeys() {
    if !isPaneChosen { focus = .keys }
  }

  /// Whether the only open location was opened for one of its collections, such as `app.db#people`.
  package var isCollectionNamed: Bool {
    stores.items.count == 1 && stores.items[0].summary.value?.location.collection != nil
  }

  /// The name of the current store, with its collection.
  package var storeTitle: String { keys?.store.location.title() ?? "" }
}
