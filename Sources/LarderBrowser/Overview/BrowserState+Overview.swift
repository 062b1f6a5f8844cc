import LarderModel
import LarderOperations

extension BrowserState {
  /// The overview, if it is open, even while another overlay covers it.
  package var overview: OverviewModel? {
    get { if case .overview(let model) = shownList { model } else { nil } }
    set { if let newValue, overview != nil { shownList = .overview(newValue) } }
  }

  /// Opens the overview of the current store or prefix.
  mutating func openOverview() -> Effects {
    guard let model = keys else { return [] }
    overlay = .overview(
      OverviewModel(
        store: model.store, prefix: model.scope,
        delimiter: model.tree?.delimiter ?? settings.delimiter ?? model.store.kind.delimiter,
        expectedCount: model.total?.number))
    return scanOverview()
  }

  /// Starts scanning the entries of the overview.
  mutating func scanOverview() -> Effects {
    guard let model = overview else { return [] }
    let scan = ticket { $0.overview?.scanning }
    let change = ticket { $0.overview?.awaitingChange }
    overview?.scanning = scan.token
    overview?.awaitingChange = change.token
    overview?.isChanged = false
    overview?.failure = nil
    let reference = model.store.reference
    return [
      AwaitStoreChange(store: reference, ticket: change),
      SummarizeStore(
        store: reference, prefix: model.prefix,
        delimiter: model.overview?.delimiter ?? model.delimiter, ticket: scan),
    ]
  }

  mutating func overviewGrew(_ sums: Overview) {
    let height = viewport.overlay
    overview?.take(sums, height: height)
  }

  mutating func overviewEnded(_ error: StoreError?) {
    overview?.scanning = nil
    overview?.failure = error
    if let error, error != .cancelled { say(error.message, .error) }
  }

  /// Stops a running scan and keeps its partial result, or else closes the overview.
  mutating func leaveOverview() -> Effects {
    guard overview?.scanning != nil else { return closeOverview() }
    overview?.scanning = nil
    overview?.failure = .cancelled
    return [Cancel(.overview)]
  }

  mutating func closeOverview() -> Effects {
    if case .overview = overlay { overlay = nil }
    return [Cancel(.overview), Cancel(.overviewChange)]
  }

  mutating func sortOverview() -> Effects {
    let height = viewport.overlay
    overview?.sortByNext(height: height)
    return []
  }

  /// Opens the overview of another prefix in the store.
  mutating func showOverview(of prefix: String) -> Effects {
    guard let model = overview else { return [] }
    overlay = .overview(
      OverviewModel(
        store: model.store, prefix: prefix,
        delimiter: model.overview?.delimiter ?? model.delimiter, expectedCount: nil))
    return scanOverview()
  }

  /// Opens the overview of the parent prefix, or closes the overview of the whole store.
  mutating func leaveOverviewPrefix() -> Effects {
    guard let outer = overview?.outerPrefix else { return closeOverview() }
    return showOverview(of: outer)
  }

  /// Closes the overview and runs a command with the selected prefix.
  mutating func leaveOverview(for id: String) -> Effects {
    guard let prefix = overview?.selectedPrefix, let command = Command.named(id) else { return [] }
    if let reason = command.unavailable(self) {
      say("\(command.title): \(reason)", .warning)
      return []
    }
    return closeOverview() + update(.command(id, argument: prefix))
  }

  /// Closes the overview and calls a closure with the selected prefix.
  mutating func leaveOverview(_ action: (inout BrowserState, String) -> Effects) -> Effects {
    guard let prefix = overview?.selectedPrefix else { return [] }
    let effects = closeOverview()
    return effects + action(&self, prefix)
  }
}
