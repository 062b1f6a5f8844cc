package import LarderModel

extension DocumentChange {
  /// The path of the changed value.
  package var path: [DocumentStep] {
    switch self {
    case .set(let path, _), .remove(let path), .rename(let path, _): path
    }
  }
}

extension StoredValue {
  /// Applies a change inside a value that is an array or a dictionary.
  ///
  /// - Parameters:
  ///   - change: The change to apply.
  ///   - depth: The number of steps of the change's path that lead to this value; less than the
  ///     length of the path.
  /// - Throws: ``DocumentError`` if the path leads nowhere or the change is invalid.
  package mutating func apply(
    _ change: DocumentChange, below depth: Int
  ) throws(DocumentError) {
    let path = change.path
    guard path.indices.contains(depth) else { throw DocumentError.nothing(at: path) }
    let reached = path[...depth]
    switch (self, path[depth]) {
    case (.array(var values), .index(let index)):
      if values.indices.contains(index), depth + 1 < path.count {
        try values[index].apply(change, below: depth + 1)
      } else {
        guard depth + 1 == path.count else { throw DocumentError.nothing(at: reached) }
        try Self.change(&values, at: index, change, reached)
      }
      self = .array(values)
    case (.dictionary(var fields), .name(let name, let repetition)):
      let places = fields.indices.filter { fields[$0].name.hasBytes(of: name) }
      let place = places.indices.contains(repetition) ? places[repetition] : nil
      if let place, depth + 1 < path.count {
        try fields[place].value.apply(change, below: depth + 1)
      } else {
        guard depth + 1 == path.count, place != nil || repetition == places.count else {
          throw DocumentError.nothing(at: reached)
        }
        try Self.change(&fields, at: place, name: name, change, reached)
      }
      self = .dictionary(fields)
    default: throw DocumentError.nothing(at: reached)
    }
  }

  private static func change(
    _ values: inout [StoredValue], at index: Int, _ change: DocumentChange,
    _ path: ArraySlice<DocumentStep>
  ) throws(DocumentError) {
    switch change {
    case .set(_, let value) where index == values.count: values.append(value)
    case .set(_, let value) where values.indices.contains(index): values[index] = value
    case .remove where values.indices.contains(index): values.remove(at: index)
    case .set: throw DocumentError.outOfRange(index, count: values.count)
    case .remove: throw DocumentError.nothing(at: path)
    case .rename: throw DocumentError.notAnObject
    }
  }

  private static func change(
    _ fields: inout [Field], at place: Int?, name: String, _ change: DocumentChange,
    _ path: ArraySlice<DocumentStep>
  ) throws(DocumentError) {
    switch (change, place) {
    case (.set(_, let value), let place?): fields[place].value = value
    case (.set(_, let value), nil): fields.append(Field(name, value))
    case (.remove, let place?): fields.remove(at: place)
    case (.rename(_, let other), let place?):
      guard name.hasBytes(of: other) || !fields.contains(where: { $0.name.hasBytes(of: other) })
      else { throw DocumentError.taken(other) }
      fields[place].name = other
    case (_, nil): throw DocumentError.nothing(at: path)
    }
  }
}
