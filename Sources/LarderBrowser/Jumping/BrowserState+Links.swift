import LarderModel

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
      return value?.selectedColumn.map { ($0.name, ListRow.Cell($0.value)) }
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
      say("cannot go to the entry of this value: it is too long", .warning)
      return []
    }
    return follow(EntryLink(collection: collection, key: cell.key))
  }

  private mutating func follow(_ link: EntryLink) -> Effects {
    guard let model = keys else { return [] }
    let target = StoreReference(
      location: model.store.reference.location, collection: link.collection)
    followed.append(jumps.earlier.count)
    return goTo(link.key, in: target)
  }

  /// The location of the selected file of a folder, if its content is a store of its own.
  var selectedFile: String? {
    guard focus == .keys, let store = keys?.store, store.kind.name == Self.folderKind,
      let entry = value?.entry.value, entry.key == keys?.selected?.key,
      case .text(let name) = entry.key, value?.holdsStore == true
    else { return nil }
    return "\(store.location.path)/\(name)"
  }

  private static let folderKind = "folder"

  /// Opens the selected file as a store, or returns `nil` if it cannot be opened as one.
  mutating func openFile() -> Effects? {
    guard let location = selectedFile else { return nil }
    followed.append(jumps.earlier.count)
    return goTo(location)
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
