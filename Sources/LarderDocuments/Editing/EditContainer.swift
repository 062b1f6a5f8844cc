import LarderModel

/// A dictionary or an array that is being changed.
///
/// Removed items stay in their positions, marked as removed: the file may have other content there
/// that belongs to no member, and the positions of the other items do not change.
final class EditContainer<Place, Origin> {
  /// A member of a dictionary or an element of an array.
  struct Item {
    var name: String?
    var value: EditNode<Place, Origin>
    /// The location of the rest of the item in the file; nil if it is new.
    var origin: Origin?
    var isRemoved = false
    var isRenamed = false
  }

  /// The location of the container in the file; nil if it is new.
  let place: Place?
  /// The location of the value that a new container replaces.
  let replaced: Place?
  /// Whether the container is a dictionary, whose members have names.
  let hasNames: Bool
  /// The members or elements in order, including removed ones.
  private(set) var items: [Item]
  /// The positions of the remaining members with each name.
  private var positions: [DocumentStep: [Int]] = [:]
  /// Whether members were added, removed, renamed or moved.
  private(set) var isTouched = false
  /// The number of items that are not removed.
  private(set) var count: Int

  /// Creates a container with the members of a value in the file.
  init(_ members: EditMembers<Place, Origin>, at place: Place) {
    self.place = place
    replaced = nil
    hasNames = members.hasNames
    items = members.members.map { Item(name: $0.name, value: $0.value, origin: $0.origin) }
    count = items.count
    findNames()
  }

  /// Creates a container with the members of a new value, or returns nil if the value is a scalar.
  init?(_ value: StoredValue, replacing replaced: Place?) {
    place = nil
    self.replaced = replaced
    switch value {
    case .array(let values):
      hasNames = false
      items = values.map { Item(value: .new($0, replacing: nil)) }
    case .dictionary(let fields), .record(let fields):
      hasNames = true
      items = fields.map { Item(name: $0.name, value: .new($0.value, replacing: nil)) }
    default: return nil
    }
    count = items.count
    findNames()
  }

  /// The value of a new container; nil if the container is in the file.
  var newValue: StoredValue? {
    guard place == nil else { return nil }
    let present = items.filter { !$0.isRemoved }
    // Nothing inside a new container is from the file.
    return hasNames
      ? .dictionary(present.map { StoredValue.Field($0.name ?? "", $0.value.newValue ?? .null) })
      : .array(present.map { $0.value.newValue ?? .null })
  }

  private func findNames() {
    positions = [:]
    guard hasNames else { return }
    for (position, item) in items.enumerated() where !item.isRemoved {
      if let name = item.name { positions[.name(name), default: []].append(position) }
    }
  }

  /// Returns the position of the member or element at a step, or nil if there is none.
  func position(of step: DocumentStep) -> Int? {
    switch step {
    case .name(let name, let repetition):
      guard let found = positions[.name(name)], found.indices.contains(repetition) else {
        return nil
      }
      return found[repetition]
    case .index(let index):
      guard !hasNames, 0..<count ~= index else { return nil }
      if count == items.count { return index }
      var left = index
      return items.firstIndex { item in
        if item.isRemoved { return false }
        left -= 1
        return left < 0
      }
    }
  }

  /// Whether a step leads just past the last member with its name, or past the last element.
  func appends(_ step: DocumentStep) -> Bool {
    switch step {
    case .name(let name, let repetition):
      hasNames && repetition == positions[.name(name), default: []].count
    case .index(let index): !hasNames && index == count
    }
  }

  /// Changes the value at a position in place.
  func update<Failure>(
    at position: Int,
    _ body: (inout EditNode<Place, Origin>) throws(Failure) -> Void
  ) throws(Failure) {
    try body(&items[position].value)
  }

  /// Appends a member or an element.
  func append(_ value: StoredValue, for step: DocumentStep) {
    var item = Item(value: .new(value, replacing: nil))
    if case .name(let name, _) = step {
      item.name = name
      positions[.name(name), default: []].append(items.count)
    }
    items.append(item)
    count += 1
    isTouched = true
  }

  /// Removes the member or the element at a position.
  func remove(at position: Int) {
    items[position].isRemoved = true
    count -= 1
    isTouched = true
    if let name = items[position].name {
      positions[.name(name), default: []].removeAll { $0 == position }
    }
  }

  /// Renames the member at a position to a name that no other member has.
  func rename(at position: Int, to name: String) {
    if let old = items[position].name {
      positions[.name(old), default: []].removeAll { $0 == position }
    }
    items[position].name = name
    items[position].isRenamed = true
    isTouched = true
    positions[.name(name)] = [position]
  }

  /// Replaces all the items.
  func replace(with items: [Item]) {
    self.items = items
    isTouched = true
    count = items.count { !$0.isRemoved }
    findNames()
  }
}
