import LarderModel

extension EditTree {
  /// Replaces a value with another one; the parts that are equal remain those of the file.
  func assign(_ value: StoredValue, to node: inout Node) throws(DocumentError) {
    switch (node, value.parts) {
    case (.kept(let place), let parts):
      // A value that cannot be shown differs from every value that was shown.
      if let old = try? source.value(of: place), old == value { return }
      guard parts != .none, let members = try source.members(of: place),
        members.hasNames == (parts == .named)
      else {
        node = .new(value, replacing: place)
        return
      }
      if let reason = members.readOnlyReason { throw DocumentError(reason) }
      let container = Container(members, at: place)
      node = .container(container)
      try merge(value, into: container)
    case (.container(let container), .named) where container.hasNames,
      (.container(let container), .numbered) where !container.hasNames:
      try merge(value, into: container)
    default: node = .new(value, replacing: node.place)
    }
  }

  private func merge(_ value: StoredValue, into container: Container) throws(DocumentError) {
    switch value {
    case .dictionary(let fields), .record(let fields): try merge(fields, into: container)
    case .array(let values): try merge(values, into: container)
    default: break
    }
  }

  /// Replaces the members of a container with those of a dictionary, in their order.
  private func merge(
    _ fields: [StoredValue.Field], into container: Container
  ) throws(DocumentError) {
    var repetitions: [DocumentStep: Int] = [:]
    let positions = fields.map { field in
      let repetition = repetitions[.name(field.name), default: 0]
      repetitions[.name(field.name)] = repetition + 1
      return container.position(of: .name(field.name, repetition: repetition))
    }
    var items: [Container.Item] = []
    var old = OldItems(container.items, keeping: positions.compactMap(\.self))
    for (field, position) in zip(fields, positions) {
      if let position {
        var item = old.take(position, removedTo: &items)
        try assign(field.value, to: &item.value)
        items.append(item)
      } else {
        items.append(
          Container.Item(name: field.name, value: .new(field.value, replacing: nil)))
      }
    }
    old.removeRest(to: &items)
    container.replace(with: items)
  }

  /// Replaces the elements of a container with those of an array; equal elements at either end are
  /// retained.
  private func merge(_ values: [StoredValue], into container: Container) throws(DocumentError) {
    let positions = container.items.indices.filter { !container.items[$0].isRemoved }
    var items: [Container.Item] = []
    let shared = min(positions.count, values.count)
    let head = zip(positions, values).prefix {
      isEqual(container.items[$0.0].value, to: $0.1)
    }.count
    let tail = zip(positions.reversed(), values.reversed()).prefix(shared - head).prefix {
      isEqual(container.items[$0.0].value, to: $0.1)
    }.count
    let kept = positions.prefix(min(positions.count - tail, values.count - tail))
    var old = OldItems(container.items, keeping: kept + positions.suffix(tail))
    for (index, value) in values.enumerated() {
      let isInTail = index >= values.count - tail
      let source = isInTail ? index - values.count + positions.count : index
      if isInTail || source < positions.count - tail {
        var item = old.take(positions[source], removedTo: &items)
        if index >= head, !isInTail { try assign(value, to: &item.value) }
        items.append(item)
      } else {
        items.append(Container.Item(value: .new(value, replacing: nil)))
      }
    }
    old.removeRest(to: &items)
    container.replace(with: items)
  }

  private func isEqual(_ node: Node, to value: StoredValue) -> Bool {
    switch node {
    case .kept(let place): (try? source.value(of: place)) == value
    case .new(let other, _): other == value
    case .container(let container): container.newValue == value
    }
  }

  /// The items of a container while they are reordered.
  private struct OldItems {
    private var items: [Container.Item]
    private var next = 0

    /// Marks all items as removed except those at some positions.
    init(_ items: [Container.Item], keeping positions: some Sequence<Int>) {
      self.items = items
      for index in items.indices { self.items[index].isRemoved = true }
      for position in positions { self.items[position].isRemoved = false }
    }

    /// Returns the item at a position after moving the removed items before it to `removed`.
    mutating func take(
      _ position: Int, removedTo removed: inout [Container.Item]
    ) -> Container.Item {
      if next < position {
        removed += items[next..<position].filter(\.isRemoved)
        next = position
      }
      return items[position]
    }

    /// Moves the remaining removed items to `removed`.
    func removeRest(to removed: inout [Container.Item]) {
      removed += items[next...].filter(\.isRemoved)
    }
  }
}

extension StoredValue {
  fileprivate enum Parts { case none, named, numbered }

  fileprivate var parts: Parts {
    switch self {
    case .array: .numbered
    case .record(let fields) where BinaryForm.marked(fields) != nil: .none
    case .dictionary, .record: .named
    default: .none
    }
  }
}
