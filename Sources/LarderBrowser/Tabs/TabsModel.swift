import LarderModel

/// A view of one store, with its navigation history.
package struct TabModel: Sendable, Equatable {
  /// The focused pane.
  package var focus: BrowserState.Focus = .stores
  /// The list of the store, or `nil` if no store has been shown.
  package var keys: KeysModel?
  /// The value of the selected entry.
  package var value: ValueModel?
  /// The value that was selected before, while nothing is known of the one that is being read.
  var valueBefore: ValueModel?
  /// The state of larder's own cache, while it is shown.
  package var cache: CacheModel?
  /// The location to show once it is open.
  var awaited: AwaitedLocation?
  /// Whether the user has chosen a pane since a store was requested, so that the focus stays there.
  var isPaneChosen = false
  /// Whether the user entered the list from the stores, to which Esc returns.
  var isListEntered = false
  /// The places to which the user can go back and forward.
  package var jumps = JumpList()
  /// The last view of each store that was left for another.
  var visits: [StoreReference: JumpList.Visit] = [:]
  /// The place to show once its store is open.
  var travelling: JumpList.Place?
  /// The list to restore if the typed key does not exist.
  package var departure: BrowserState.Departure?
  /// The number of earlier places in the jump list when each link was followed.
  var followed: [Int] = []
  /// The store that is being opened.
  package var opening: StoreReference?
  /// The selected row of the list of stores and its position on screen, while the tab is parked.
  var row: StoresModel.Place?
  /// The layout of the panes while the tab is parked; the view reports a new layout after drawing.
  var viewport: Viewport?

  /// Removes a closed location from the navigation history.
  mutating func forget(_ id: LocationID) {
    visits = visits.filter { $0.key.location != id }
    jumps.forget(id)
    departure?.jumps.forget(id)
  }
}

/// Accessors for the parts of the current tab, which `TabModel` documents.
extension BrowserState {
  package var focus: Focus {
    get { tab.focus }
    _modify { yield &tab.focus }
  }
  package var keys: KeysModel? {
    get { tab.keys }
    _modify { yield &tab.keys }
  }
  package var value: ValueModel? {
    get { tab.value }
    _modify { yield &tab.value }
  }
  /// The state to draw while the selected value is read: with the value that was selected before, or
  /// `nil` if that is not needed or not known.
  ///
  /// Most reads take less than a frame, for which the pane would be empty.
  package var withValueBefore: BrowserState? {
    guard value?.isEmptyWhileReading == true, let before = tab.valueBefore else { return nil }
    var state = self
    state.value = before
    return state
  }
  package var cache: CacheModel? {
    get { tab.cache }
    _modify { yield &tab.cache }
  }
  package var opening: StoreReference? {
    get { tab.opening }
    _modify { yield &tab.opening }
  }
  package var jumps: JumpList {
    get { tab.jumps }
    _modify { yield &tab.jumps }
  }
  package var departure: Departure? {
    get { tab.departure }
    _modify { yield &tab.departure }
  }
  var awaited: AwaitedLocation? {
    get { tab.awaited }
    _modify { yield &tab.awaited }
  }
  var visits: [StoreReference: JumpList.Visit] {
    get { tab.visits }
    _modify { yield &tab.visits }
  }
  var travelling: JumpList.Place? {
    get { tab.travelling }
    _modify { yield &tab.travelling }
  }
  var followed: [Int] {
    get { tab.followed }
    _modify { yield &tab.followed }
  }
  var isPaneChosen: Bool {
    get { tab.isPaneChosen }
    _modify { yield &tab.isPaneChosen }
  }
  var isListEntered: Bool {
    get { tab.isListEntered }
    _modify { yield &tab.isListEntered }
  }
}

/// A location to show once it is open.
package struct AwaitedLocation: Sendable, Equatable {
  var id: LocationID
  /// The collection to show, unless the location specifies one.
  var collection: String?
  /// The location as requested, if it is already open under another name.
  var name: StoreLocation?

  /// Returns the location to show.
  func place(in summary: LocationSummary) -> StoreLocation {
    var place = name ?? summary.location
    if let collection { place.collection = collection }
    return place
  }
}

/// The open tabs.
///
/// The current tab is part of the browser's state; the others are parked here. A parked tab reads
/// nothing, and is reloaded when the user returns to it.
package struct TabsModel: Sendable, Equatable {
  /// The tabs before the current one.
  package private(set) var before: [TabModel] = []
  /// The tabs after the current one.
  package private(set) var after: [TabModel] = []
  /// The tabs of an earlier session that were closed because their location could not be opened.
  var missing: [TabModel] = []

  /// The maximum number of tabs.
  package static let capacity = 50

  package init() {}

  /// Creates tabs around the current one.
  init(before: [TabModel], after: [TabModel]) {
    self.before = before
    self.after = after
  }

  /// The number of tabs, including the current one.
  package var count: Int { before.count + 1 + after.count }

  /// The number of the current tab, from 1.
  package var shown: Int { before.count + 1 }

  /// Parks a tab, so that a new one after it becomes the current one.
  mutating func add(after tab: TabModel) { before.append(tab) }

  /// Parks a tab and removes the one with a number.
  ///
  /// - Returns: The removed tab, which becomes the current one, or `nil` if no parked tab has the
  ///   number.
  mutating func exchange(_ tab: TabModel, for number: Int) -> TabModel? {
    var all = before + [tab] + after
    guard all.indices.contains(number - 1), number != shown else { return nil }
    let next = all[number - 1]
    before = Array(all[..<(number - 1)])
    all.removeFirst(number)
    after = all
    return next
  }

  /// Removes a tab that replaces the current one.
  ///
  /// - Parameter isBack: Whether to prefer the previous tab to the next one.
  /// - Returns: The tab that becomes the current one, or `nil` if there is no other.
  mutating func replaceShown(isBack: Bool) -> TabModel? {
    if !after.isEmpty, !isBack || before.isEmpty { return after.removeFirst() }
    return before.popLast()
  }

  /// Removes the parked tab with a number and returns it.
  mutating func remove(_ number: Int) -> TabModel? {
    guard (1...count).contains(number), number != shown else { return nil }
    if number < shown { return before.remove(at: number - 1) }
    let place = number - shown - 1
    return after.indices.contains(place) ? after.remove(at: place) : nil
  }

  /// The tabs other than the current one.
  var parked: [TabModel] { before + after }

  /// Removes the parked tabs that satisfy a condition.
  ///
  /// - Returns: The number of removed tabs.
  mutating func removeAll(where isToGo: (TabModel) -> Bool) -> Int {
    let count = count
    before.removeAll(where: isToGo)
    after.removeAll(where: isToGo)
    return count - self.count
  }

  /// Changes all parked tabs.
  mutating func changeAll(_ change: (inout TabModel) -> Void) {
    for place in before.indices { change(&before[place]) }
    for place in after.indices { change(&after[place]) }
  }

  /// Changes the parked lists of a store.
  mutating func changeLists(of store: StoreReference, _ change: (inout KeysModel) -> Void) {
    changeAll { tab in
      guard tab.keys?.store.reference == store, var keys = tab.keys else { return }
      change(&keys)
      tab.keys = keys
    }
  }

  /// Returns the summary of a store whose list a parked tab shows.
  func store(_ reference: StoreReference) -> StoreSummary? {
    parked.lazy.compactMap(\.keys?.store).first { $0.reference == reference }
  }
}
