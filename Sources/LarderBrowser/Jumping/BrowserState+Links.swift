import LarderModel

extension BrowserState {
  /// What is selected of the value, where that is a link.
  var selectedLink: EntryLink? {
    guard keys?.store.capabilities.contains(.links) == true else { return nil }
    return value?.selectedValue.flatMap(EntryLink.init)
  }

  /// Goes to the entry that what is selected of the value links to.
  ///
  /// - Returns: The effects; nil where nothing is selected that is a link.
  mutating func followLink() -> Effects? {
    selectedLink.map { follow($0) }
  }

  /// The selected cell of a grid, or column of a record.
  private var selectedReferrer: (column: String, cell: ListRow.Cell)? {
    if focus == .value {
      return value?.selectedColumn.map { ($0.name, ListRow.Cell($0.value)) }
    }
    guard let column = shownGrid?.selected, let cell = keys?.selectedCell else { return nil }
    return (column, cell)
  }

  /// The collection that what is selected of a row refers to; nil where it refers to none.
  var selectedReference: String? {
    selectedReferrer.flatMap { $0.cell.isNull ? nil : keys?.store.references[$0.column] }
  }

  /// Goes to the row that the selected cell, or column of a record, refers to; nil where it refers to
  /// none.
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
    guard target != model.store.reference else { return goToAnyKey(link.key) }
    leaveMark()
    open(JumpList.Place(target, link.key))
    focus = .keys
    return [OpenCollection(store: target)]
  }

  /// Goes back to where the link was that was followed last; nil where none was.
  mutating func leaveLink() -> Effects? {
    // Some were left by going back in another way.
    while let last = followed.last, jumps.earlier.count <= last { followed.removeLast() }
    guard followed.popLast() != nil else { return nil }
    return travel(isBack: true)
  }

  /// Waits for a store in which a place is to be shown.
  mutating func open(_ place: JumpList.Place) {
    travelling = place
    opening = place.store
    let rows = stores.rows
    if let row = rows.firstIndex(where: { $0.reference == place.store }) {
      stores.cursor.select(row, count: rows.count, height: viewport.stores)
    }
  }
}
