import LarderModel

extension BrowserState {
  /// The history overlay, even while another overlay covers it.
  package var visibleHistory: HistoryModel? {
    get {
      if case .history(let model)? = shownList { model } else { nil }
    }
    set {
      guard let newValue, case .history? = shownList else { return }
      shownList = .history(newValue)
    }
  }

  /// Opens the journal of the current store.
  mutating func openHistory() -> Effects {
    guard let model = keys else { return [] }
    overlay = .history(HistoryModel(store: model.store))
    return readHistory()
  }

  mutating func closeHistory() -> Effects {
    closeList()
    return [Cancel(.history), Cancel(.historyDetails), Cancel(.historyCheck)]
  }

  /// Reloads the changes on screen, if the history is shown.
  mutating func readHistory() -> Effects {
    guard let model = visibleHistory else { return [] }
    visibleHistory?.outlooks = [:]
    visibleHistory?.checking = nil
    return readHistory(from: model.offset(around: model.visibleRows(height: viewport.overlay)))
      + [Cancel(.historyCheck)]
  }

  private mutating func readHistory(from offset: Int) -> Effects {
    guard let store = visibleHistory?.store.reference else { return [] }
    let ticket = ticket { $0.visibleHistory?.reading }
    visibleHistory?.reading = ticket.token
    return [ReadHistory(store: store, offset: offset, ticket: ticket)]
  }

  mutating func historyRead(_ result: Answer<HistoryPage>) -> Effects {
    visibleHistory?.reading = nil
    switch result {
    case .success(let page):
      let height = viewport.overlay
      visibleHistory?.take(page, height: height)
      return readVisibleHistory()
    case .failure(let error):
      guard error != .cancelled else { return [] }
      visibleHistory?.failure = error
      say(error.message, .error)
      return []
    }
  }

  /// Reads the changes on screen that are not loaded yet.
  mutating func readVisibleHistory() -> Effects {
    guard let model = visibleHistory, model.reading == nil, model.failure == nil else { return [] }
    if let offset = model.neededOffset(height: viewport.overlay) {
      return readHistory(from: offset)
    }
    return readSelectedChange(model) + checkSteps(model)
  }

  private mutating func readSelectedChange(_ model: HistoryModel) -> Effects {
    guard let step = model.selected?.step, model.details?.number != step.number,
      model.readingDetails?.number != step.number
    else { return [] }
    let ticket = ticket { $0.visibleHistory?.readingDetails?.token }
    visibleHistory?.readingDetails = (ticket.token, step.number)
    let store = model.store.reference
    let title = Messages.change(step.number, text(of: step, in: store))
    return [ReadChange(store: store, step: step, title: title, ticket: ticket)]
  }

  mutating func changeRead(_ details: ChangeDetails) -> Effects {
    visibleHistory?.readingDetails = nil
    visibleHistory?.details = details
    return []
  }

  /// The maximum number of entries in a change that is checked before it can be undone.
  private static let checkedEntries = 1_000

  private mutating func checkSteps(_ model: HistoryModel) -> Effects {
    let records = model.unchecked(height: viewport.overlay)
    var requests: [ReplayRequest] = []
    for record in records where record.state == .settled && record.isReadable {
      if record.step.count > Self.checkedEntries {
        visibleHistory?.outlooks[record.step.number] = .unchecked
      } else {
        requests.append(ReplayRequest(isRedo: record.step.isUndone, step: record.step.number))
      }
    }
    let numbers = requests.compactMap(\.step)
    guard !numbers.isEmpty, model.checking.map({ $0.numbers != numbers }) ?? true else { return [] }
    let ticket = ticket { $0.visibleHistory?.checking?.token }
    visibleHistory?.checking = (ticket.token, numbers)
    return [CheckUndo(store: model.store.reference, requests: requests, ticket: ticket)]
  }

  /// Undoes or redoes the selected change.
  mutating func replaySelected(isRedo: Bool) -> Effects {
    guard let number = visibleHistory?.selected?.step.number else { return [] }
    return replay(isRedo: isRedo, String(number))
  }

  /// Opens the comparison of the selected change over the panes.
  mutating func compareSelectedChange() -> Effects {
    guard let model = visibleHistory, let details = model.details,
      details.number == model.selected?.step.number
    else { return [] }
    switch details.comparison {
    case .success(let comparison): cover(.comparison(comparison))
    case .failure(let error): say(error.message, .error)
    }
    return []
  }
}
