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

  /// What ends the work on the value that is shown, for which nobody waits any more.
  private var cancelsOfValue: Effects {
    let isBusy = value.map { $0.isDecoding || $0.isUnread } ?? false
    return (isBusy ? [Cancel(.inside)] : [])
      + (value?.jobs.isEmpty == false ? [Cancel(.value)] : [])
  }

  /// The column that Enter opens, as there is more of it than its row shows, or it cannot be edited.
  private var columnToOpen: String? {
    guard let column = value?.selectedColumn else { return nil }
    let isEditable = Command.named("edit")?.unavailable(self) == nil
    return isEditable && value?.hasMoreToShow(column) == false ? nil : column.name
  }

  /// What Enter does with what is selected, in a word; nil where it does nothing.
  package var openTitle: String? {
    let title = Command.named("open")?.title
    if focus == .keys, selectedReference != nil { return "go to row" }
    guard focus == .value, let model = value else { return title }
    if selectedLink != nil { return title }
    if selectedReference != nil { return "go to row" }
    if let isOpen = model.isSelectedOpen { return isOpen ? "fold" : "unfold" }
    guard model.selectsFields else { return nil }
    return columnToOpen == nil ? Command.named("edit")?.title : title
  }

  /// Shows the selected column by itself; nil where it is edited instead, or there is none.
  mutating func openColumn() -> Effects? {
    guard let name = columnToOpen else { return nil }
    let cancels = cancelsOfValue
    let token = newToken()
    value?.open(name, token: token)
    return cancels + readInside()
  }

  /// Shows the record again that a column was opened of; nil where none was.
  mutating func closeColumn() -> Effects? {
    guard value?.openedColumn != nil else { return nil }
    let cancels = cancelsOfValue
    let token = newToken()
    guard value?.close(token: token) == true else { return nil }
    revealValue()
    return cancels + readInside()
  }

  /// Reads the selected entry from the store itself, or through the cache where that is shown.
  mutating func readSelectedAnew() -> Effects { readSelected(through: pathAnew) }

  /// What a value is read through that is to be as it is now; nil for the usual.
  var pathAnew: ReadPath? { cache == nil ? .fresh : nil }

  /// Shows that the value of an entry is being read; what is there of it stays until it is.
  ///
  /// - Returns: The question that the answer belongs to.
  mutating func awaitValue(of key: EntryKey, in store: StoreSummary) -> Ticket {
    let ticket = ticket { $0.value?.token }
    value = ValueModel(
      key: key, token: ticket.token, width: viewport.valueWidth, valueField: store.valueField,
      isSecret: store.hidesValues, after: value)
    return ticket
  }

  /// The ticket of the value on screen.
  private var valueTicket: Ticket? { value.map { Ticket($0.token) { $0.value?.token } } }

  mutating func entryRead(_ result: Answer<Entry>) -> Effects {
    if case .failure(.cancelled) = result { return [] }
    var change = value.flatMap { keys?.watch?.changes[$0.key] }
    // What is only not in the cache is not gone.
    if case .failure = result, change?.change != .removed { change = nil }
    if case .failure(let error) = result, error.mayPass { keys?.misses += 1 }
    value?.receive(result, before: change?.old)
    if case .success(let entry) = result { showInList(entry) }
    revealValue()
    let conceals: Effects =
      value?.isRevealed == true ? [WaitToConceal(ticket: valueTicket)] : []
    return inspectCache() + readInside() + countDown() + conceals
  }

  /// Reads what takes a while of a value: the structure that it holds.
  private func readInside() -> Effects {
    guard let model = value, model.isUnread else { return [] }
    return [ReadInside(model: model, ticket: valueTicket)]
  }

  /// Takes in what was found inside a value, which may be an image.
  mutating func insideRead(_ model: ValueModel) -> Effects {
    value?.receive(read: model)
    revealValue()
    return []
  }

  /// Has the image decoded that the value is or holds, once somebody sees its place: neither one that
  /// is shown in another format, nor one whose pane a narrow screen has no room for.
  mutating func decodePicture() -> Effects {
    guard viewport.valueWidth > 0, let model = value, let bytes = model.undecodedPicture else {
      return []
    }
    value?.isDecoding = true
    return [DecodePicture(bytes: bytes, ticket: valueTicket)]
  }

  /// Keeps what is selected of the value in view.
  mutating func revealValue() {
    tab.value?.reveal(height: viewport.value)
  }

  mutating func scrollValue(by rows: Int) {
    tab.value?.move(by: rows, height: viewport.value)
  }

  /// Goes to the first or the last row of the value.
  mutating func jumpValue(toEnd: Bool) {
    if toEnd, value?.isSlowToEnd == true {
      tab.value?.add(.end(height: viewport.value))
    } else {
      scrollValue(by: toEnd ? .max >> 8 : -(.max >> 8))
    }
  }

  /// Goes into what is selected of the value; false where nothing is to be gone into.
  mutating func goIn() -> Bool {
    let height = viewport.value
    return value?.goIn(height: height) == true || value?.moveByte(by: 1, height: height) == true
  }

  /// Goes into what is selected of the value, follows it, or says that there is nothing inside.
  mutating func goInto() -> Effects {
    if goIn() { return [] }
    if let effects = followLink() { return effects }
    if let effects = openColumn() { return effects }
    let canEdit = Command.named("edit")?.unavailable(self) == nil
    say("nothing to go into here" + (canEdit ? "; \(settings.bindings.call("edit")) edits it" : ""))
    return []
  }

  /// Goes out of what is selected of the value; false where that is all of it.
  mutating func goOut() -> Bool {
    let height = viewport.value
    return value?.goOut(height: height) == true || value?.moveByte(by: -1, height: height) == true
  }

  /// The whole entry under the selection, or why there is none to work on.
  func wholeEntry() throws(StoreError) -> Entry {
    guard let model = value else { throw .failed("no key is selected") }
    switch model.entry {
    case .loaded(let entry): return entry
    case .failed(let error): throw error
    case .idle, .running: throw .failed("the value is still being read")
    }
  }
}
