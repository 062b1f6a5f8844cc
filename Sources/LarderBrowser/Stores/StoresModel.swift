import LarderModel

/// The list of open locations and their collections.
package struct StoresModel: Sendable, Equatable {
  /// A requested location.
  package struct Item: Sendable, Equatable {
    package let id: LocationID
    /// The location as typed.
    package let text: String
    /// Whether the location was requested while others were open, and may be one of them.
    package var mayBeOpen = false
    /// Whether the user typed the location in the browser, where typos are likely.
    fileprivate(set) var isTyped = false
    package var summary: Loading<LocationSummary> = .running

    fileprivate var hasFailed: Bool {
      if case .failed = summary { true } else { false }
    }
  }

  /// A row of the list, which is a location or one of its collections.
  package struct Row: Sendable, Equatable {
    package var reference: StoreReference
    package var title: String
    package var note: String
    /// Whether the row is a location, or a store inside a container with several collections.
    package var isLocation: Bool
    package var isFailed: Bool
    /// The number of rows above it that it belongs to.
    package var depth = 0
  }

  /// A row of the list with its position on screen.
  struct Place: Sendable, Equatable {
    var reference: StoreReference
    var screenRow: Int
  }

  package private(set) var items: [Item] = [] {
    // Other rows may be visible now.
    didSet { countedRows = nil }
  }
  /// The numbers of entries, as far as they are known.
  var counts: [StoreReference: KeysModel.Total] = [:]
  /// The collections that were counted, or cannot be.
  private var counted: Set<StoreReference> = []
  /// The visible rows when collections were last counted, or `nil` if some have to be counted again.
  private var countedRows: Range<Int>?

  /// The number of stores, as far as it is known.
  package var storeCount: Int {
    items.reduce(0) { $0 + max(1, $1.summary.value?.collections.count ?? 1) }
  }

  private var lastNumber = -1
  package var cursor = ListCursor()
  /// The stores that are marked for a comparison.
  package internal(set) var marked: Set<StoreReference> = []

  package init() {}

  /// Adds a location that is about to be opened.
  package mutating func add(_ text: String) -> LocationID {
    lastNumber += 1
    let id = LocationID(lastNumber)
    items.append(Item(id: id, text: text))
    return id
  }

  /// Adds a location that the user requested, or retries one that could not be opened under the
  /// same text.
  package mutating func addAnother(_ text: String) -> LocationID {
    if let place = items.firstIndex(where: { $0.hasFailed && $0.text.hasBytes(of: text) }) {
      items[place].summary = .running
      items[place].mayBeOpen = true
      return items[place].id
    }
    let id = add(text)
    items[items.count - 1].mayBeOpen = true
    items[items.count - 1].isTyped = true
    return id
  }

  /// Removes a location that turned out to be open already, and updates the collections of the open
  /// one.
  ///
  /// - Returns: The open location, or `nil` if there is none.
  package mutating func merge(
    _ id: LocationID, _ summary: LocationSummary, height: Int
  ) -> LocationID? {
    guard let path = summary.resolvedPath, item(id)?.mayBeOpen == true,
      let place = items.firstIndex(where: {
        $0.id != id && $0.summary.value?.resolvedPath?.hasBytes(of: path) == true
          // If the kind of store has changed, it is a different store.
          && $0.summary.value?.kind.name == summary.kind.name
      })
    else { return nil }
    let known = items[place]
    if var old = known.summary.value {
      old.collections = summary.collections
      items[place].summary = .loaded(old)
      recount { $0.location == known.id }
    }
    remove(id, height: height)
    return known.id
  }

  /// Removes a location from the list.
  mutating func remove(_ id: LocationID, height: Int) {
    let selected = place?.reference
    items.removeAll { $0.id == id }
    marked = marked.filter { $0.location != id }
    let rows = rows
    let row = rows.firstIndex { $0.reference == selected } ?? cursor.index
    cursor.select(row, count: rows.count, height: height)
  }

  /// Sets the summary of a location, or the error if it cannot be opened.
  package mutating func receive(_ id: LocationID, _ result: Answer<LocationSummary>) {
    guard let place = items.firstIndex(where: { $0.id == id }) else { return }
    switch result {
    case .success(let summary):
      items[place].summary = .loaded(summary)
      recount { $0.location == id }
    case .failure(let error): items[place].summary = .failed(error)
    }
  }

  /// Forgets the number of entries of collections, which are counted again.
  mutating func recount(_ isChanged: (StoreReference) -> Bool) {
    counted = counted.filter { !isChanged($0) }
    counts = counts.filter { !isChanged($0.key) }
    countedRows = nil
  }

  /// Returns the visible collections that were not counted yet, which are then regarded as counted.
  mutating func takeUncounted(height: Int) -> [StoreReference] {
    let visible = cursor.top..<cursor.top + max(0, height)
    // A location can have thousands of collections, and most actions do not scroll.
    guard visible != countedRows, storeCount > 1 else { return [] }
    countedRows = visible
    let shown = rows.dropFirst(visible.lowerBound).prefix(visible.count)
    return shown.filter { !$0.isLocation && counted.insert($0.reference).inserted }.map(\.reference)
  }

  /// The first location that can be shown, or `nil` while an earlier one is still being opened.
  package var firstToShow: (id: LocationID, summary: LocationSummary)? {
    for item in items {
      switch item.summary {
      case .loaded(let summary): return (item.id, summary)
      case .failed: continue
      case .idle, .running: return nil
      }
    }
    return nil
  }

  /// Returns a location with its summary, or `nil` if it is not open.
  package func loaded(_ id: LocationID) -> (id: LocationID, summary: LocationSummary)? {
    item(id)?.summary.value.map { (id, $0) }
  }

  /// Whether a location is being opened.
  var isOpening: Bool {
    items.contains { if case .running = $0.summary { true } else { false } }
  }

  /// Returns whether a location could not be opened.
  func hasFailed(_ id: LocationID) -> Bool { item(id)?.hasFailed == true }

  /// The typed locations that cannot be opened for a permanent reason.
  var mistyped: [LocationID] {
    items.filter { item in
      guard item.isTyped, case .failed(let error) = item.summary else { return false }
      return !error.mayPass
    }.map(\.id)
  }

  /// Returns the item of a location.
  package func item(_ id: LocationID) -> Item? {
    items.first { $0.id == id }
  }

  /// The selected store, or `nil` if the row is a location with several.
  var selectedStore: StoreReference? {
    let rows = rows
    guard rows.indices.contains(cursor.index), case let reference = rows[cursor.index].reference,
      !rows[cursor.index].isLocation || reference.collection == nil,
      let summary = item(reference.location)?.summary.value,
      reference.collection != nil || summary.collections.isEmpty
    else { return nil }
    return reference
  }

  /// The selected row.
  var place: Place? {
    let rows = rows
    guard rows.indices.contains(cursor.index) else { return nil }
    return Place(reference: rows[cursor.index].reference, screenRow: cursor.index - cursor.top)
  }

  /// Selects a row at its previous position on screen, if it still exists.
  mutating func select(_ place: Place, height: Int) {
    let rows = rows
    guard let row = rows.firstIndex(where: { $0.reference == place.reference }) else { return }
    cursor.place(row, atScreenRow: place.screenRow, count: rows.count, height: height)
  }

  /// The rows from top to bottom.
  package var rows: [Row] {
    items.flatMap { item in
      let summary = item.summary.value
      let isFailed = item.hasFailed
      let path = summary?.location.path ?? StoreLocation.withoutUser(item.text)
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let head = Row(
        reference: StoreReference(location: item.id), title: name,
        note: summary?.kind.name ?? (isFailed ? Messages.notOpened : Messages.opening),
        isLocation: true, isFailed: isFailed)
      return [head] + (summary.map { rows(of: $0, item.id) } ?? [])
    }
  }

  /// Returns the rows below a location: its collections, which in a container are below their store
  /// if that has several.
  private func rows(of summary: LocationSummary, _ id: LocationID) -> [Row] {
    // Only a container has its own files as a collection.
    let isContainer = summary.collections.contains { $0.name == "." }
    let siblings = Dictionary(
      summary.collections.compactMap { collection in
        collection.name.firstIndex(of: "#").map { (collection.name[..<$0], 1) }
      }, uniquingKeysWith: +)
    var rows: [Row] = []
    var last: Substring?
    for collection in summary.collections {
      let parts = collection.name.split(separator: "#", maxSplits: 1)
      let store = isContainer && parts.count == 2 ? parts.first : nil
      let isBelow = store.map { siblings[$0, default: 0] > 1 } ?? false
      if let store, isBelow, store != last {
        rows.append(
          Row(
            reference: StoreReference(location: id, collection: String(store)),
            title: String(store), note: "", isLocation: true, isFailed: false, depth: 1))
      }
      last = store
      let title = (isBelow ? parts.last : store).map(String.init) ?? collection.name
      let reference = StoreReference(location: id, collection: collection.name)
      rows.append(
        Row(
          reference: reference, title: title, note: counts[reference]?.short ?? collection.form,
          isLocation: false, isFailed: false, depth: isBelow ? 2 : 1))
    }
    return rows
  }
}
