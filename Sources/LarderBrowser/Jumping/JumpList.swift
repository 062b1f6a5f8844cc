package import LarderModel

/// The places to which the user can go back and forward.
package struct JumpList: Sendable, Equatable {
  /// A view of a store.
  package struct Visit: Sendable, Equatable {
    package var scope: String
    package var tree: TreeModel?
    package var filterText: String
    package var order: EntryOrder
    /// The chosen key of the rows, or `nil` if it stays as it is.
    package var keyChoice: KeyChoice?
    /// The arrangement of the columns, or `nil` if there was no grid.
    package var columns: GridModel.Arrangement?
    /// The selected column.
    var column: String?
    /// Whether to report a missing key, because it was requested rather than deleted since.
    var isWanted = false
    /// The selected key, or `nil` in an empty list.
    package var key: EntryKey?
    /// The row of the screen with the selected key.
    package var screenRow: Int

    package init(_ model: KeysModel) {
      scope = model.scope
      tree = model.tree
      filterText = model.filterText
      order = model.order
      keyChoice = model.store.keyChoice
      columns = model.grid?.arrangement
      column = model.grid?.selected
      key = model.selected?.key
      screenRow = model.cursor.index - model.cursor.top
      tree?.forgetCounts()
    }

    /// Creates a view of the whole list with a selected key, which is reported if it is missing.
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

  /// A store with a view of it.
  package struct Place: Sendable, Equatable {
    package var store: StoreReference
    package var visit: Visit

    package init(_ model: KeysModel) {
      store = model.store.reference
      visit = Visit(model)
    }

    /// Creates a place that has not been visited, such as the target of a link.
    init(_ store: StoreReference, _ key: EntryKey) {
      self.store = store
      visit = Visit(of: key)
    }
  }

  /// The maximum number of places.
  package static let capacity = 100

  package private(set) var earlier: [Place] = []
  package private(set) var later: [Place] = []

  package init() {}

  /// Adds a place that the user is about to leave for a new one.
  package mutating func leave(_ place: Place) {
    later = []
    guard earlier.last != place else { return }
    earlier.append(place)
    if earlier.count > Self.capacity { earlier.removeFirst() }
  }

  /// Removes the places in a location that is closed.
  mutating func forget(_ id: LocationID) {
    earlier.removeAll { $0.store.location == id }
    later.removeAll { $0.store.location == id }
  }

  /// Removes the places in a store whose rows get other keys.
  mutating func forget(_ store: StoreReference) {
    earlier.removeAll { $0.store == store }
    later.removeAll { $0.store == store }
  }

  /// Returns the previous place and adds the current one to the later places, or returns `nil` if
  /// there is none.
  package mutating func goBack(from place: Place) -> Place? {
    guard let target = earlier.popLast() else { return nil }
    later.append(place)
    return target
  }

  /// Returns the next place and adds the current one to the earlier places, or returns `nil` if
  /// there is none.
  package mutating func goForward(from place: Place) -> Place? {
    guard let target = later.popLast() else { return nil }
    earlier.append(place)
    return target
  }
}
