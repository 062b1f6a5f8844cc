import LarderModel

extension BrowserState {
  /// Starts or stops watching the current store.
  mutating func toggleWatch() -> Effects {
    guard let reference = keys?.store.reference else { return [] }
    if keys?.watch != nil {
      _ = dropRemoved()
      keys?.watch = nil
      say(Messages.stoppedWatching)
      return [Cancel(.watch)] + readSelected()
    }
    let ticket = ticket { $0.keys?.watch?.token }
    keys?.watch = WatchModel(token: ticket.token)
    say(Messages.watching)
    return [WatchStore(store: reference, ticket: ticket)]
  }

  /// Reloads the list, because changes since it was read have not been reported, and shows any
  /// limitation of the watch.
  mutating func watchBegan(
    _ extent: StoreWatcher.Extent, _ limitation: String?
  ) -> Effects {
    guard let model = keys, let watch = model.watch else { return [] }
    switch extent {
    case _ where watch.isContinued: break
    case .more(let limit):
      say(Messages.watching(moreThan: limit))
    case .entries:
      if let limitation { say(Messages.watching(limitation)) }
    }
    // A scan that the user stopped stays stopped.
    guard !model.isPaused else { return [] }
    return readAgain() + (model.filter == nil ? countKeys() : [])
  }

  /// Applies the changes by other programs to the list, and keeps the selection.
  mutating func othersChanged(_ report: WatchReport) -> Effects {
    // Without its mark, the row of a removed entry would look like an existing one.
    let isFull = keys?.watch?.hasRoom(for: report.differences) == false
    let shown = isFull ? dropRemoved() : []
    keys?.watch?.take(report.differences)
    keys?.watch?.log.take(report)
    let height = viewport.overlay
    if let log = keys?.watch?.log { changes?.take(log, height: height) }
    keys?.forgetRows(of: report.isPartial ? nil : report.differences.map(\.key))
    // The user's own changes have already been reported.
    if !report.isOwn { say(Self.text(of: report)) }
    let change = (report.counts[.added] ?? 0) - (report.counts[.removed] ?? 0)
    let total = keys?.total?.changed(by: change)
    keys?.total = total
    let counts = keys?.scope.isEmpty == false ? countKeys() : []
    // Branches may have appeared, disappeared or changed their counts.
    let mayHaveNewBranches =
      keys?.shownTree != nil && report.differences.contains { $0.change != .changed }
    // Changed entries may have moved in the sort order.
    let mayHaveMoved = keys?.isSorted == true && !report.differences.isEmpty
    // A pending read around a key may or may not include the changes.
    let isSeeking = keys?.seeking != nil
    if report.isPartial || mayHaveNewBranches || mayHaveMoved || isSeeking
      || !insert(report.differences)
    {
      return shown + readAgain() + counts
    }
    let changed = report.differences.map(\.key)
    guard let selected = keys?.selected?.key else {
      return shown + loadNeeded() + counts + countBranches(around: changed)
    }
    let concernsValue = report.differences.contains { $0.key == selected }
    return shown + (concernsValue || value == nil ? reloadSelected() : []) + loadNeeded() + counts
      + countBranches(around: changed)
  }

  /// Watches the current store again after its tab was parked or the store was unavailable.
  mutating func watchAgain() -> Effects {
    guard let model = keys, let watch = model.watch else { return [] }
    let ticket = ticket { $0.keys?.watch?.token }
    keys?.watch = watch.again(ticket.token)
    return [WatchStore(store: model.store.reference, ticket: ticket)]
  }

  /// Returns whether a command needs the selected entry although it has been removed, and reports
  /// that.
  mutating func concernsDeletedEntry(_ command: String) -> Bool {
    guard let model = keys, let key = model.selected?.key,
      model.watch?.changes[key]?.change == .removed
    else { return false }
    switch Command.named(command)?.need {
    case .entry where command == "delete" && !model.marked.isEmpty: return false
    case .entry, .list: break
    case .store, .nothing, nil: return false
    }
    say(Messages.deletedByOthers(text(of: key)), .warning)
    return true
  }

  /// Removes the rows of removed entries, which have stayed visible until now.
  mutating func dropRemoved() -> Effects {
    guard var model = keys, let gone = keys?.watch?.takeRemoved(), !gone.isEmpty else { return [] }
    model.watch = keys?.watch
    let before = model.selected?.key
    for key in gone {
      model.loseMark(of: key)
      guard let row = model.window.row(of: key) else { continue }
      model.window.remove(key)
      let shift = row < model.cursor.index ? -1 : 0
      model.cursor.shift(by: shift, count: model.window.entries.count, height: viewport.keys)
    }
    keys = model
    return (keys?.selected?.key == before ? [] : readSelected()) + loadNeeded()
  }

  /// Inserts added keys into the list; returns `false` if their positions are not known.
  private mutating func insert(_ differences: [EntryDifference]) -> Bool {
    guard var model = keys else { return true }
    let added = differences.filter { $0.change == .added && $0.key.hasPrefix(model.scope) }
    if added.isEmpty { return true }
    guard model.filter == nil, model.load == nil, added.count <= KeysModel.pageSize,
      model.window.isSorted
    else { return false }
    for difference in added {
      guard let row = model.window.insert(Entry(key: difference.key)) else { continue }
      let isAbove = row <= model.cursor.index && model.window.entries.count > 1
      model.cursor.shift(
        by: isAbove ? 1 : 0, count: model.window.entries.count, height: viewport.keys)
    }
    keys = model
    return true
  }

  private static func text(of report: WatchReport) -> String {
    let parts: [(EntryDifference.Change, String)] = [
      (.added, "added"), (.changed, "changed"), (.removed, "removed"),
    ]
    func list(by author: String, _ count: (EntryDifference.Change) -> Int) -> [String] {
      let texts = parts.compactMap { change, verb in
        count(change) > 0 ? "\(count(change)) \(verb)" : nil
      }
      return texts.isEmpty ? [] : ["\(texts.joined(separator: ", ")) \(author)"]
    }
    let texts =
      list(by: Messages.byOthers) { (report.counts[$0] ?? 0) - (report.recorded[$0] ?? 0) }
      + list(by: Messages.byLarder) { report.recorded[$0] ?? 0 }
      + (report.counts[.expired].map { ["\($0) expired"] } ?? [])
    guard !texts.isEmpty else { return Messages.unlistedChanges }
    return texts.joined(separator: ", ")
  }
}
