import LarderFormats
import LarderModel

extension BrowserState {
  /// Starts to read the selected entry.
  mutating func readSelected(through path: ReadPath? = nil) -> Effects {
    let cancels = cancelsOfValue
    guard let model = keys, let selected = model.selected, selected.key.branchPrefix == nil else {
      value = nil
      return cancels
    }
    let ticket = awaitValue(of: selected.key, in: model.store)
    return cancels + [
      ReadEntry(
        store: model.store.reference, key: selected.key,
        path: path ?? (cache == nil ? .usual : .cacheOnly), ticket: ticket)
    ]
  }

  /// The effects that cancel any work on the value shown.
  private var cancelsOfValue: Effects {
    let isBusy = value.map { $0.isDecoding || $0.isUnread } ?? false
    return (isBusy ? [Cancel(.inside)] : [])
      + (value?.jobs.isEmpty == false ? [Cancel(.value)] : [])
  }

  /// The selected column if Enter opens it, because its row does not show all of it or it cannot be
  /// edited.
  private var columnToOpen: String? {
    guard let column = value?.selectedColumn else { return nil }
    let isEditable = Command.named("edit")?.unavailable(self) == nil
    return isEditable && value?.hasMoreToShow(column) == false ? nil : column.name
  }

  /// The name of the action that Enter performs, or `nil` if there is none.
  package var openTitle: String? {
    let title = Command.named("open")?.title
    if focus == .keys, selectedReference != nil { return Messages.goToRow }
    if selectedFile != nil { return Messages.openStoreTitle }
    guard focus == .value, let model = value else { return title }
    if selectedLink != nil { return title }
    if selectedReference != nil { return Messages.goToRow }
    if let isOpen = model.isSelectedOpen { return isOpen ? "fold" : "unfold" }
    guard model.selectsFields else { return nil }
    return columnToOpen == nil ? Command.named("edit")?.title : title
  }

  /// Opens the selected column on its own; returns `nil` if it is edited instead or there is none.
  mutating func openColumn() -> Effects? {
    guard let name = columnToOpen else { return nil }
    let cancels = cancelsOfValue
    let token = newToken()
    value?.open(name, token: token)
    return cancels + readInside()
  }

  /// Closes the opened column and shows its record; returns `nil` if no column is open.
  mutating func closeColumn() -> Effects? {
    guard value?.openedColumn != nil else { return nil }
    let cancels = cancelsOfValue
    let token = newToken()
    guard value?.close(token: token) == true else { return nil }
    revealValue()
    return cancels + readInside()
  }

  /// Reads the selected entry from the store, or through the cache if that is shown.
  mutating func reloadSelected() -> Effects { readSelected(through: reloadPath) }

  /// The path for reading the current value, or `nil` for the usual one.
  var reloadPath: ReadPath? { cache == nil ? .fresh : nil }

  /// Marks the value as loading, while the previous content stays on screen.
  ///
  /// - Returns: The ticket for the reply.
  mutating func awaitValue(of key: EntryKey, in store: StoreSummary) -> Ticket {
    let ticket = ticket { $0.value?.token }
    if value?.isEmptyWhileReading != true { tab.valueBefore = store.hidesValues ? nil : value }
    value = ValueModel(
      key: key, token: ticket.token, width: viewport.valueWidth, valueField: store.valueField,
      isSecret: store.hidesValues, after: value)
    let filtered = filteredText.flatMap { ValueSearch($0) }
    value?.filtered = filtered
    return ticket
  }

  /// The ticket of the value shown.
  private var valueTicket: Ticket? { value.map { Ticket($0.token) { $0.value?.token } } }

  mutating func entryRead(_ result: Answer<Entry>) -> Effects {
    if case .failure(.cancelled) = result { return [] }
    tab.valueBefore = nil
    var change = value.flatMap { keys?.watch?.changes[$0.key] }
    // An entry that is only missing in the cache was not removed.
    if case .failure = result, change?.change != .removed { change = nil }
    if case .failure(let error) = result, error.mayPass { keys?.misses += 1 }
    value?.receive(result, before: change?.old)
    if case .success(let entry) = result { showInList(entry) }
    revealValue()
    let conceals: Effects =
      value?.isRevealed == true ? [WaitToConceal(ticket: valueTicket)] : []
    return inspectCache() + readInside() + countDown() + conceals
  }

  /// Parses the value in the background, if that takes a while.
  private func readInside() -> Effects {
    guard let model = value, model.isUnread else { return [] }
    return [ParseValue(model: model, ticket: valueTicket)]
  }

  /// Handles a value that was parsed in the background, which may be an image.
  mutating func insideRead(_ model: ValueModel) -> Effects {
    value?.receive(read: model)
    revealValue()
    return []
  }

  /// Decodes the image in the value, once it is visible: not in another format, and not if the
  /// screen has no room for the pane.
  mutating func decodePicture() -> Effects {
    guard viewport.valueWidth > 0, let model = value, let bytes = model.undecodedPicture else {
      return []
    }
    value?.isDecoding = true
    return [DecodePicture(bytes: bytes, ticket: valueTicket)]
  }

  /// Scrolls to the selection in the value.
  mutating func revealValue() {
    tab.value?.reveal(height: viewport.value)
  }

  mutating func scrollValue(by rows: Int) {
    tab.value?.move(by: rows, height: viewport.value)
  }

  /// Moves to the first or last row of the value.
  mutating func jumpValue(toEnd: Bool) {
    if toEnd, value?.isSlowToEnd == true {
      tab.value?.add(.end(height: viewport.value))
    } else {
      scrollValue(by: toEnd ? .max >> 8 : -(.max >> 8))
    }
  }

  /// The number of columns by which lines that do not wrap are scrolled.
  private static let sideways = 16

  /// Wraps the lines of the value, or stops to.
  mutating func toggleWrapping() -> Effects {
    value?.toggleWrapping()
    if let wraps = value?.wraps { say(wraps ? Messages.wraps : Messages.doesNotWrap) }
    return []
  }

  /// Expands or enters the selection; returns whether that was possible.
  mutating func goIn() -> Bool {
    let height = viewport.value
    return value?.goIn(height: height) == true || value?.moveByte(by: 1, height: height) == true
      || value?.scrollSideways(by: Self.sideways) == true
  }

  /// Expands, enters or follows the selection, or reports that there is nothing inside.
  mutating func goInto() -> Effects {
    if goIn() { return [] }
    if let effects = followLink() { return effects }
    if let effects = openColumn() { return effects }
    let canEdit = Command.named("edit")?.unavailable(self) == nil
    say(Messages.nothingInside(edit: canEdit ? settings.bindings.call("edit") : nil))
    return []
  }

  /// Collapses or leaves the selection; returns `false` at the top level.
  mutating func goOut() -> Bool {
    let height = viewport.value
    return value?.scrollSideways(by: -Self.sideways) == true || value?.goOut(height: height) == true
      || value?.moveByte(by: -1, height: height) == true
  }

  /// Returns the selected entry with its whole value.
  ///
  /// - Throws: `StoreError` if no entry is selected, or it was not read.
  func wholeEntry() throws(StoreError) -> Entry {
    guard let model = value else { throw .failed(Messages.noKey) }
    switch model.entry {
    case .loaded(let entry): return entry
    case .failed(let error): throw error
    case .idle, .running: throw .failed(Messages.stillReading)
    }
  }
}
