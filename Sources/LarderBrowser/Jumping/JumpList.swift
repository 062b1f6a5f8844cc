package import LarderModel

/// Where a user was, to go back to.
package struct JumpList: Sendable, Equatable {
  /// What was shown of a store.
  package struct Visit: Sendable, Equatable {
    package var scope: String
    package var tree: TreeModel?
    package var filterText: String
    package var order: EntryOrder
    /// The arrangement of the columns; nil if there was no grid.
    package var columns: GridModel.Arrangement?
    /// The selected column.
    var column: String?
    /// Whether a missing key is reported: it was asked for, and not just deleted meanwhile.
    var isWanted = false
    /// What was selected; nil in an empty list.
    package var key: EntryKey?
    /// The row of the screen that it was on.
    package var screenRow: Int

    package init(_ model: KeysModel) {
      scope = model.scope
      tree = model.tree
      filterText = model.filterText
      order = model.order
      columns = model.grid?.arrangement
      column = model.grid?.selected
      key = model.selected?.key
      screenRow = model.cursor.index - model.cursor.top
      tree?.forgetCounts()
    }

    /// A key in the whole list, which is reported if it is missing.
    init(of key: EntryKey) {
      isWanted = true
      scope = ""
      tree = nil
      filterText = ""
      order = .key
      self.key = key
      screenRow = 0
    }
  }

  /// A store, and what was shown of it.
  package struct Place: Sendable, Equatable {
    package var store: StoreReference
    package var visit: Visit

    package init(_ model: KeysModel) {
      store = model.store.reference
      visit = Visit(model)
    }

    /// A place where nobody was, which something leads to.
    init(_ store: StoreReference, _ key: EntryKey) {
      self.store = store
      visit = Visit(of: key)
    }
  }

  /// How many places are remembered.
  package static let capacity = 100

  package private(set) var earlier: [Place] = []
  package private(set) var later: [Place] = []

  package init() {}

  /// Remembers a place that is about to be left for a new one.
  package mutating func leave(_ place: Place) {
    later = []
    guard earlier.last != place else { return }
    earlier.append(place)
    if earlier.count > Self.capacity { earlier.removeFirst() }
  }

  /// Forgets the places in a location that is closed.
  mutating func forget(_ id: LocationID) {
    earlier.removeAll { $0.store.location == id }
    later.removeAll { $0.store.location == id }
  }

  /// The place before, in exchange for the present one; nil where there is none.
  package mutating func goBack(from place: Place) -> Place? {
    guard let target = earlier.popLast() else { return nil }
    later.append(place)
    return target
  }

  /// The place from which somebody went back, in exchange for the present one; nil where there is
  /// none.
  package mutating func goForward(from place: Place) -> Place? {
    guard let target = later.popLast() else { return nil }
    earlier.append(place)
    return target
  }
}
