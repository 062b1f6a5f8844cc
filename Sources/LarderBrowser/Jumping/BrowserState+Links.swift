package import LarderModel

extension BrowserState {
  /// The link that is selected in the value, if any.
  var selectedLink: EntryLink? {
    guard keys?.store.capabilities.contains(.links) == true else { return nil }
    return value?.selectedValue.flatMap(EntryLink.init)
  }

  /// Goes to the target of the link that is selected in the value.
  ///
  /// - Returns: The effects, or `nil` if no link is selected.
  mutating func followLink() -> Effects? {
    selectedLink.map { follow($0) }
  }

  /// The selected cell of a grid, or the selected column of a record.
  private var selectedReferrer: (column: String, cell: ListRow.Cell)? {
    if focus == .value {
      return value?.selectedColumn.map { ($0.name, ListRow.Cell($0.value, of: $0.name)) }
    }
    guard let column = shownGrid?.selected, let cell = keys?.selectedCell else { return nil }
    return (column, cell)
  }

  /// The collection that the selected cell or column refers to, if any.
  var selectedReference: String? {
    selectedReferrer.flatMap { $0.cell.isNull ? nil : keys?.store.references[$0.column] }
  }

  /// Goes to the row that the selected cell or column refers to, or returns `nil` if there is none.
  mutating func followReference() -> Effects? {
    guard let store = keys?.store, let (_, cell) = selectedReferrer else { return nil }
    if store.capabilities.contains(.links), let link = cell.link { return follow(link) }
    guard let collection = selectedReference else { return nil }
    guard cell.key != .null else {
      say(Messages.longReference, .warning)
      return []
    }
    return follow(EntryLink(collection: collection, key: cell.key))
  }

  private mutating func follow(_ link: EntryLink) -> Effects {
    guard let model = keys else { return [] }
    let target = StoreReference(
      location: model.store.reference.location, collection: link.collection)
    leaveByLink()
    return goTo(link.key, in: target)
  }

  /// Adds the current place to the jump list, so that Esc goes back to it.
  private mutating func leaveByLink() {
    // The place may be the last one already, and the list does not grow beyond its capacity.
    leaveMark()
    followed.append(jumps.earlier.count - 1)
  }

  /// The location of the selected file of a folder, if its name or its content is that of a store.
  var selectedFile: String? {
    guard focus == .keys, let store = keys?.store, store.kind.holdsFiles,
      let selected = keys?.selected, selected.specialType == nil,
      case .text(let name) = selected.key,
      Self.namesDatabase(name)
        || value?.entry.value?.key == selected.key && value?.holdsStore == true
    else { return nil }
    return "\(store.location.path)/\(name)"
  }

  private static func namesDatabase(_ name: String) -> Bool {
    [".db", ".db3", ".sqlite", ".sqlite3", ".realm"].contains { name.lowercased().hasSuffix($0) }
  }

  /// Opens the selected file as a store, or returns `nil` if it cannot be one.
  mutating func openFile() -> Effects? {
    guard let location = selectedFile, let key = keys?.selected?.key else { return nil }
    return [OpenFile(location: location, key: key, ticket: askingTicket())]
  }

  /// Goes to a file that can be opened as a store, or else shows its content.
  mutating func fileTried(_ file: OpenFile, _ result: Answer<StoreKind>) -> Effects {
    let isSelected = focus == .keys && keys?.selected?.key == file.key
    if takeAsked(result) == nil {
      if isSelected, overlay == nil, result != .failure(.cancelled) { focus = .value }
      return []
    }
    guard isSelected else { return [] }
    leaveByLink()
    return goTo(file.location)
  }

  /// Goes to an entry of a store, which is opened if it is not the one shown.
  mutating func goTo(_ key: EntryKey, in store: StoreReference) -> Effects {
    if keys?.store.reference == store { return goToAnyKey(key) }
    leaveMark()
    open(JumpList.Place(store, key))
    focus = .keys
    return [OpenCollection(store: store)]
  }

  /// Goes back to the last followed link, or returns `nil` if there is none.
  mutating func leaveLink() -> Effects? {
    // Drop links that were already left by going back in the jump list.
    while let last = followed.last, jumps.earlier.count <= last { followed.removeLast() }
    guard followed.popLast() != nil else { return nil }
    return travel(isBack: true)
  }

  /// Goes to a place in another store once that store is open.
  mutating func open(_ place: JumpList.Place) {
    travelling = place
    opening = place.store
    let rows = stores.rows
    if let row = rows.firstIndex(where: { $0.reference == place.store }) {
      stores.cursor.select(row, count: rows.count, height: viewport.stores)
    }
  }
}

/// Tries whether a file of a folder can be opened as a store, however large it is.
package struct OpenFile: BrowserEffect {
  package let location: String
  /// The key of the file in the folder.
  package let key: EntryKey
  package let ticket: Ticket?
  package var slot: EffectSlot? { .asking }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    await reply(await runner.result { try await runner.environment.open(location).kind })
  }

  package func receive(_ reply: Answer<StoreKind>, in state: inout BrowserState) -> Effects {
    state.fileTried(self, reply)
  }
}
