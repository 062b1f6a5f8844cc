import LarderModel

/// A view of one store: what is shown of it, and how a user came there.
package struct TabModel: Sendable, Equatable {
  /// The pane that has the keys.
  package var focus: BrowserState.Focus = .stores
  /// The list of the store; nil where none was shown yet.
  package var keys: KeysModel?
  /// The value of the selected entry.
  package var value: ValueModel?
  /// The timed cache, while it is looked at.
  package var cache: CacheModel?
  /// The location that is to be shown once it is open.
  var awaited: AwaitedLocation?
  /// Whether the user went to a pane since a store was asked for, which then leaves the keys there.
  var isPaneChosen = false
  /// Whether the user went into the list from the stores, which Esc goes back to.
  var isListEntered = false
  /// Where the user was.
  package var jumps = JumpList()
  /// What was shown of stores that were left for others.
  var visits: [StoreReference: JumpList.Visit] = [:]
  /// The place that is shown once its store is open.
  var travelling: JumpList.Place?
  /// The list to restore if the typed key does not exist.
  package var departure: BrowserState.Departure?
  /// How many places there were to go back to when each of the links was followed.
  var followed: [Int] = []
  /// What is being opened.
  package var opening: StoreReference?
  /// While it is parked, the selected row of the list of stores, and the row of the screen that it is
  /// on.
  var row: StoresModel.Place?
  /// While it is parked, how its panes were laid out; another layout is told once it is drawn.
  var viewport: Viewport?

  /// Forgets the way back to a location that is closed.
  mutating func forget(_ id: LocationID) {
    visits = visits.filter { $0.key.location != id }
    jumps.forget(id)
    departure?.jumps.forget(id)
  }
}

/// The parts of the tab that is shown, which `TabModel` describes.
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

/// A location that is to be shown once it is open.
package struct AwaitedLocation: Sendable, Equatable {
  var id: LocationID
  /// The collection of it to be shown, where the location does not name one.
  var collection: String?
  /// The name that it was asked for by, where it turned out to be open under another one.
  var name: StoreLocation?

  /// What is to be shown of the location.
  func place(in summary: LocationSummary) -> StoreLocation {
    var place = name ?? summary.location
    if let collection { place.collection = collection }
    return place
  }
}

/// The tabs, of which one is shown.
///
/// What is shown is part of the browser's state; the others are parked here. Nothing is read for a
/// tab that is parked: what it shows is read again when somebody comes back to it.
package struct TabsModel: Sendable, Equatable {
  /// The tabs before the one that is shown.
  package private(set) var before: [TabModel] = []
  /// The tabs after it.
  package private(set) var after: [TabModel] = []
  /// Tabs of an earlier start that were closed as their location could not be opened.
  var missing: [TabModel] = []

  /// The maximum number of tabs.
  package static let capacity = 50

  package init() {}

  /// Tabs of which the one between these is shown.
  init(before: [TabModel], after: [TabModel]) {
    self.before = before
    self.after = after
  }

  /// How many tabs there are, with the one that is shown.
  package var count: Int { before.count + 1 + after.count }

  /// The number of the one that is shown, from 1.
  package var shown: Int { before.count + 1 }

  /// Parks a tab, so that a new one after it is shown.
  mutating func add(after tab: TabModel) { before.append(tab) }

  /// Parks a tab, and takes the one of a number out.
  ///
  /// - Returns: The tab to be shown; nil where no parked tab has the number.
  mutating func exchange(_ tab: TabModel, for number: Int) -> TabModel? {
    var all = before + [tab] + after
    guard all.indices.contains(number - 1), number != shown else { return nil }
    let next = all[number - 1]
    before = Array(all[..<(number - 1)])
    all.removeFirst(number)
    after = all
    return next
  }

  /// Takes a tab out in the place of the one that is shown, which goes.
  ///
  /// - Parameter isBack: Whether the one before it is wanted rather than the one after it.
  /// - Returns: The tab to be shown; nil where there is no other.
  mutating func replaceShown(isBack: Bool) -> TabModel? {
    if !after.isEmpty, !isBack || before.isEmpty { return after.removeFirst() }
    return before.popLast()
  }

  /// Takes a parked tab out.
  mutating func remove(_ number: Int) -> TabModel? {
    guard (1...count).contains(number), number != shown else { return nil }
    if number < shown { return before.remove(at: number - 1) }
    let place = number - shown - 1
    return after.indices.contains(place) ? after.remove(at: place) : nil
  }

  /// The tabs that are not shown.
  var parked: [TabModel] { before + after }

  /// Takes those parked tabs out that are to go.
  ///
  /// - Returns: How many there were.
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

  /// What is known of a store of which a parked tab shows the list.
  func store(_ reference: StoreReference) -> StoreSummary? {
    parked.lazy.compactMap(\.keys?.store).first { $0.reference == reference }
  }
}
