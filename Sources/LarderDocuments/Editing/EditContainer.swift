import LarderModel

/// A dictionary or an array that is being changed.
///
/// What is removed stays in its position with a mark, because the file may have something there
/// that belongs to no member, and because positions then stay what they are.
final class EditContainer<Place, Origin> {
  /// A member of a dictionary or an element of an array.
  struct Item {
    var name: String?
    var value: EditNode<Place, Origin>
    /// Where the rest of it is in the file; nil where it is new.
    var origin: Origin?
    var isRemoved = false
    var isRenamed = false
  }

  /// Where the container is in the file; nil where it is new.
  let place: Place?
  /// Where the value is that a new container replaces.
  let replaced: Place?
  /// Whether its members have names.
  let hasNames: Bool
  /// Members and elements in order, those removed among them.
  private(set) var items: [Item]
  /// The positions of the members of each name that are not removed.
  private var positions: [DocumentStep: [Int]] = [:]
  /// Whether members came, went or have another name or place.
  private(set) var isTouched = false
  /// How many items are not removed.
  private(set) var count: Int

  /// Takes over the members that the file has.
  init(_ members: EditMembers<Place, Origin>, at place: Place) {
    self.place = place
    replaced = nil
    hasNames = members.hasNames
    items = members.members.map { Item(name: $0.name, value: $0.value, origin: $0.origin) }
    count = items.count
    findNames()
  }

  /// Takes over the members of a new value; nil where it has none.
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

  /// The value of a new container; nil where it is in the file.
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

  /// The position of the member or element that a step leads to; nil where there is none.
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

  /// Whether a step leads to just after the last member of its name, or the last element.
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

  /// Adds a member or an element at the end.
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

  /// Gives the member at a position another name, which no other member has.
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
