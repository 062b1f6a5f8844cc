import LarderModel

/// A list of a file while it is being changed: the new contents of its items, and added items.
///
/// Uses memory and time only for changes, so changing one member of a million costs no more than
/// one of ten.
final class JSONDraft {
  /// The new content of an item.
  private enum Content {
    case list(JSONDraft)
    case value(StoredValue)
  }

  /// The item that a step leads to.
  private enum Place {
    case original(Int)
    case added(Int)
  }

  private let document: JSONDocument
  private let items: JSONItems
  private let names: JSONNames?
  private var changed: [Int: Content] = [:]
  private var renamed: [Int: String] = [:]
  private var removed: Set<Int> = []
  private var added: [StoredValue.Field] = []
  /// The items renamed to each name, and the items added with each name.
  private var renamedTo: [DocumentStep: [Int]] = [:]
  private var addedUnder: [DocumentStep: [Int]] = [:]
  /// The repetition of the first renamed or removed member of each name, by the start of the name's
  /// group; for an array, the index of the first removed element under 0.
  ///
  /// Earlier items can be found without counting.
  private var firstGone: [Int: Int] = [:]

  /// Creates a draft without changes.
  init(_ items: JSONItems, _ names: JSONNames?, _ document: JSONDocument) {
    self.items = items
    self.names = names
    self.document = document
  }

  /// Applies a change inside the list.
  ///
  /// - Parameters:
  ///   - change: The change to apply.
  ///   - depth: The number of steps of the change's path that lead to this list.
  /// - Throws: ``DocumentError`` if the path leads nowhere or the change is invalid.
  func apply(_ change: DocumentChange, below depth: Int) throws(DocumentError) {
    let path = change.path
    let step = path[depth]
    let place = find(step)
    guard depth + 1 == path.count else {
      guard let place else { throw DocumentError.nothing(at: path[...depth]) }
      return try applyInside(place, change, depth + 1)
    }
    switch (change, place) {
    case (.set(_, let value), .original(let item)): changed[item] = .value(value)
    case (.set(_, let value), .added(let item)): added[item].value = value
    case (.set(_, let value), nil): try add(value, step)
    case (.remove, .original(let item)): remove(item)
    case (.remove, .added(let item)):
      added.remove(at: item)
      indexAdded()
    case (.rename(_, let name), let place?): try rename(place, to: name)
    case (_, nil): throw DocumentError.nothing(at: path)
    }
  }

  private func applyInside(
    _ place: Place, _ change: DocumentChange, _ depth: Int
  ) throws(DocumentError) {
    switch place {
    case .added(let item): try added[item].value.apply(change, below: depth)
    case .original(let item):
      switch changed[item] {
      case .list(let draft): try draft.apply(change, below: depth)
      case .value(var value):
        try value.apply(change, below: depth)
        changed[item] = .value(value)
      case nil:
        let start = items[item].value.lowerBound
        let first = document.bytes[start]
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
          throw DocumentError.nothing(at: change.path[...depth])
        }
        let inner = try document.items(at: start)
        let names = inner.isObject ? JSONNames(inner, in: document.bytes) : nil
        let draft = JSONDraft(inner, names, document)
        try draft.apply(change, below: depth)
        changed[item] = .list(draft)
      }
    }
  }

  private func add(_ value: StoredValue, _ step: DocumentStep) throws(DocumentError) {
    switch step {
    case .index(let index):
      guard !items.isObject else {
        throw .notAnArray(index)
      }
      let count = items.count - removed.count + added.count
      guard index == count else { throw DocumentError.outOfRange(index, count: count) }
      added.append(StoredValue.Field("", value))
    case .name(let name, let repetition):
      guard items.isObject else {
        throw .notAnObject
      }
      guard repetition == 0 || find(.name(name, repetition: repetition - 1)) != nil else {
        throw DocumentError.nothing(at: [step])
      }
      addedUnder[.name(name), default: []].append(added.count)
      added.append(StoredValue.Field(name, value))
    }
  }

  private func remove(_ item: Int) {
    markGone(item)
    removed.insert(item)
    changed[item] = nil
    renamed[item] = nil
  }

  private func rename(_ place: Place, to name: String) throws(DocumentError) {
    guard items.isObject else { throw DocumentError.notAnObject }
    switch place {
    case .original(let item):
      let old = renamed[item] ?? document.name(items[item])
      if old.hasBytes(of: name) { return }
      guard places(of: name).isEmpty else { throw DocumentError.taken(name) }
      markGone(item)
      renamed[item] = name
      renamedTo[.name(name), default: []].append(item)
    case .added(let item):
      if added[item].name.hasBytes(of: name) { return }
      guard places(of: name).isEmpty else { throw DocumentError.taken(name) }
      added[item].name = name
      indexAdded()
    }
  }

  private func indexAdded() {
    addedUnder = [:]
    guard items.isObject else { return }
    for (place, field) in added.enumerated() {
      addedUnder[.name(field.name), default: []].append(place)
    }
  }

  private func markGone(_ item: Int) {
    guard let names else {
      firstGone[0] = min(firstGone[0] ?? item, item)
      return
    }
    let name = document.name(items[item])
    let group = names.places(of: name, items, in: document.bytes)
    // Members of the same name are in file order.
    var low = group.lowerBound
    var high = group.upperBound
    while low < high {
      let middle = low + (high - low) / 2
      if names.order[middle] < item { low = middle + 1 } else { high = middle }
    }
    let repetition = low - group.lowerBound
    firstGone[group.lowerBound] = min(firstGone[group.lowerBound] ?? repetition, repetition)
  }

  /// Returns the item at a step, after the changes so far.
  private func find(_ step: DocumentStep) -> Place? {
    switch step {
    case .index(let index):
      guard names == nil, index >= 0 else { return nil }
      if index < firstGone[0] ?? items.count { return .original(index) }
      let count = items.count - removed.count
      guard index < count else { return index - count < added.count ? .added(index - count) : nil }
      let first = firstGone[0] ?? 0
      let live = (first..<items.count).lazy.filter { [removed] in !removed.contains($0) }
      return live.dropFirst(index - first).first.map(Place.original)
    case .name(let name, let repetition):
      guard let names, repetition >= 0 else { return nil }
      let group = names.places(of: name, items, in: document.bytes)
      if repetition < min(firstGone[group.lowerBound] ?? .max, group.count),
        renamedTo[.name(name)] == nil
      {
        return .original(Int(names.order[group.lowerBound + repetition]))
      }
      if group.isEmpty, renamedTo[.name(name)] == nil {
        // A fast path for adding many members with the same name.
        let added = addedUnder[.name(name)] ?? []
        return added.indices.contains(repetition) ? .added(added[repetition]) : nil
      }
      let places = places(of: name)
      return places.indices.contains(repetition) ? places[repetition] : nil
    }
  }

  /// Returns the members with a name, after the changes so far.
  private func places(of name: String) -> [Place] {
    guard let names else { return [] }
    let group = names.places(of: name, items, in: document.bytes)
    var originals = names.order[group].map(Int.init).filter { renamed[$0] == nil }
    originals += (renamedTo[.name(name)] ?? []).filter { renamed[$0]?.hasBytes(of: name) == true }
    originals.sort()
    return originals.filter { !removed.contains($0) }.map(Place.original)
      + (addedUnder[.name(name)] ?? []).map(Place.added)
  }

  /// Adds the resulting edits to a revision.
  func addEdits(to revision: inout JSONRevision) throws(DocumentError) {
    for (item, content) in changed {
      switch content {
      case .list(let draft): try draft.addEdits(to: &revision)
      case .value(let value):
        let neighbor = JSONNeighbor(items: items, index: item)
        try revision.replace(items[item].value, with: value, at: neighbor)
      }
    }
    for (item, name) in renamed {
      var writer = JSONWriter(style: revision.style, allowsNonFinite: false)
      writer.quote(name)
      revision.edits.replace(items[item].name, with: writer.bytes)
    }
    guard !removed.isEmpty || !added.isEmpty else { return }
    let last = (0..<items.count).last { !removed.contains($0) }
    try revision.layOut(
      items, removed: removed,
      inserted: added.isEmpty ? [:] : [last ?? -1: added.map { .fresh($0) }])
  }
}
