import LarderModel

extension BrowserState {
  /// The details overlay, if it is open.
  package var details: EntryDetails? {
    if case .details(let details) = overlay { details } else { nil }
  }

  /// Toggles the details of the selected entry.
  mutating func toggleDetails() -> Effects {
    guard details == nil else {
      overlay = nil
      return []
    }
    guard let model = keys, let key = model.selected?.key else { return [] }
    return [
      DescribeEntry(
        store: model.store.reference, key: key, isReadThrough: cache != nil,
        ticket: askingTicket())
    ]
  }

  mutating func entryDescribed(_ result: Answer<EntryReading>) -> Effects {
    guard let reading = takeAsked(result), let store = keys?.store else { return [] }
    overlay = .details(
      EntryDetails(
        reading, in: store, expiry: listedExpiry, evidence: expiryEvidence,
        isReadThrough: cache != nil, hiddenColumns: shownGrid?.hidden ?? []))
    return [ReportDate(isWaited: false)]
  }

  /// The description of how the store detects expiry in the listed collection, or `nil` if there is
  /// none.
  private var expiryEvidence: String? {
    guard let reference = keys?.store.reference,
      let fact = stores.loaded(reference.location)?.summary.facts.first(where: {
        $0.name == "expiry"
      })
    else { return nil }
    guard let collection = reference.collection else { return fact.text }
    let start = "\(collection): "
    let line = fact.lines.first { $0.hasPrefix(start) }.map { $0.dropFirst(start.count) }
    let told = "no expiry: "
    return line.map { String($0.hasPrefix(told) ? $0.dropFirst(told.count) : $0) }
      ?? (fact.lines.count == 1 ? fact.text : nil)
  }

  /// Closes the details before a command that was called from them runs.
  mutating func closeDetails(for command: Command) {
    guard details != nil, command.places.contains(.details),
      !Command.isMovement(command.id), command.id != "why"
    else { return }
    overlay = nil
  }
}
