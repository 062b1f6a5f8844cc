import LarderModel
import LarderOperations

extension BrowserState {
  /// The overview on top, where one is.
  package var overview: OverviewModel? {
    get { if case .overview(let model) = overlay { model } else { nil } }
    set { if let newValue, case .overview = overlay { overlay = .overview(newValue) } }
  }

  /// Sums up the store that is listed, or the prefix.
  mutating func openOverview() -> Effects {
    guard let model = keys else { return [] }
    overlay = .overview(
      OverviewModel(
        store: model.store, prefix: model.scope,
        delimiter: model.tree?.delimiter ?? settings.delimiter ?? model.store.kind.delimiter,
        expectedCount: model.total?.number))
    return scanOverview()
  }

  /// Reads the entries of the overview, from the first.
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

  /// Stops the scan, and keeps what was summed up; closes the overview where none runs.
  mutating func leaveOverview() -> Effects {
    guard overview?.scanning != nil else { return closeOverview() }
    overview?.scanning = nil
    overview?.failure = .cancelled
    return [Cancel(.overview)]
  }

  mutating func closeOverview() -> Effects {
    if overview != nil { overlay = nil }
    return [Cancel(.overview), Cancel(.overviewChange)]
  }

  mutating func sortOverview() -> Effects {
    let height = viewport.overlay
    overview?.sortByNext(height: height)
    return []
  }

  /// Sums up another prefix of the store.
  mutating func showOverview(of prefix: String) -> Effects {
    guard let model = overview else { return [] }
    overlay = .overview(
      OverviewModel(
        store: model.store, prefix: prefix,
        delimiter: model.overview?.delimiter ?? model.delimiter, expectedCount: nil))
    return scanOverview()
  }

  /// Sums up the prefix around, or closes the overview of the whole store.
  mutating func leaveOverviewPrefix() -> Effects {
    guard let outer = overview?.outerPrefix else { return closeOverview() }
    return showOverview(of: outer)
  }

  /// Leaves the overview for a command that takes the selected prefix.
  mutating func leaveOverview(for id: String) -> Effects {
    guard let prefix = overview?.selectedPrefix, let command = Command.named(id) else { return [] }
    if let reason = command.unavailable(self) {
      say("\(command.title): \(reason)", .warning)
      return []
    }
    return closeOverview() + update(.command(id, argument: prefix))
  }
}
