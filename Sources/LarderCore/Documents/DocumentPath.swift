extension EntryKey {
  /// The key of a value in a document: a member's name or number, and the parts of a path for one
  /// that lies deeper.
  ///
  /// A name that occurs again has the name, null and the number of its repetition as its parts.
  package init(path: [DocumentStep]) {
    let parts = path.flatMap(\.parts)
    self = parts.count == 1 ? parts[0] : .composite(parts)
  }

  /// The same key, where it is a name that could be taken for a pointer as the one part of a path,
  /// which cannot: `(/usr)`.
  package var exactPath: EntryKey {
    guard case .text(let name) = self, name.utf8.first == UInt8(ascii: "/") else { return self }
    return .composite([self])
  }

  /// The path that a key of a document stands for; nil where it is not one.
  package var documentPath: [DocumentStep]? {
    let parts = if case .composite(let parts) = self { parts } else { [self] }
    var path: [DocumentStep] = []
    var rest = parts[...]
    while let part = rest.popFirst() {
      switch part {
      case .text(let name):
        guard rest.first == .null else {
          path.append(.name(name))
          continue
        }
        guard case .integer(let number) = rest.dropFirst().first, number > 0 else { return nil }
        rest = rest.dropFirst(2)
        path.append(.name(name, repetition: Int(number)))
      case .integer(let index): path.append(.index(Int(index)))
      default: return nil
      }
    }
    return path
  }
}

extension DocumentStep {
  fileprivate var parts: [EntryKey] {
    switch self {
    case .name(let name, 0): [.text(name)]
    case .name(let name, let repetition): [.text(name), .null, .integer(Int64(repetition))]
    case .index(let index): [.integer(Int64(index))]
    }
  }
}
