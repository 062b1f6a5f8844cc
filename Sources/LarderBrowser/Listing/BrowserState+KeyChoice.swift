import LarderModel

extension Command {
  /// The commands that choose the keys of rows.
  static let keyChoices: [Command] = [
    Command(
      "key", "key", help: "Use another unique key; :key auto returns to the usual one",
      keys: [], aliases: ["key-column", "unique"],
      argument: "COLUMNS", needsArgument: true, needs: .list, unavailable: needsKeyChoice
    ) { state, argument in state.chooseKey(argument) },
    Command(
      "raw", "raw", help: "Show the plain table by its primary key, or switch back", keys: [],
      aliases: ["rowid"], needs: .list, unavailable: needsKeyChoice
    ) { state, _ in
      state.showRows(by: state.keys?.store.keyChoice == .raw ? .recognized : .raw)
    },
  ]

  private static let needsKeyChoice: @Sendable (BrowserState) -> String? = { state in
    needsStore(state)
      ?? (state.keys?.store.columns.isEmpty == false
        || state.keys?.store.keyChoices.isEmpty == false
        ? nil : Messages.severalKeysOnlyInTables)
  }
}

extension BrowserState {
  /// The word for the key that larder recognizes.
  private static let usualKey = "auto"

  /// The keys that the rows of the list can be shown by, as they are typed.
  var keyChoiceNames: [String] {
    (keys?.store.keyChoices ?? []).map { $0.joined(separator: ",") } + [Self.usualKey]
  }

  /// Shows the rows by other unique columns.
  ///
  /// - Parameter typed: The columns, separated by commas, or `auto`.
  /// - Returns: The effects.
  mutating func chooseKey(_ typed: String) -> Effects {
    guard let store = keys?.store else { return [] }
    let choice = KeyChoice.columns(typed)
    if choice.index(in: store.keyChoices) == nil, typed == Self.usualKey {
      return showRows(by: .recognized)
    }
    if let refusal = choice.refusal(in: store.keyChoices, of: store.location.title()) {
      say(refusal.message, .error)
      return []
    }
    return showRows(by: choice)
  }

  /// Opens the store of the list again by another key.
  mutating func showRows(by choice: KeyChoice) -> Effects {
    guard let store = keys?.store, store.keyChoice != choice else { return [] }
    opening = store.reference
    return [OpenCollection(store: store.reference, key: choice)]
  }

  /// Forgets what is known by the former keys of a store, in all tabs.
  mutating func takeOtherKeys(of store: StoreSummary) {
    let reference = store.reference
    let columns = keys?.grid?.arrangement
    visits[reference] = nil
    jumps.forget(reference)
    tabs.changeAll { tab in
      tab.visits[reference] = nil
      tab.jumps.forget(reference)
      guard tab.keys?.store.reference == reference else { return }
      tab.keys = KeysModel(store: store)
      tab.value = nil
    }
    if let columns {
      var visit = JumpList.Visit(KeysModel(store: store))
      visit.columns = columns
      visits[reference] = visit
    }
    say(Messages.rows(by: store.keyColumns.map(\.name)))
  }
}
