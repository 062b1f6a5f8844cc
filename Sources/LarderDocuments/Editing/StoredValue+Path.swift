package import LarderModel

extension StoredValue {
  /// Returns the value at a path inside this one, or nil if there is none.
  package func value(at path: some Sequence<DocumentStep>) -> StoredValue? {
    var value = self
    for step in path {
      switch (step, value) {
      case (.index(let index), .array(let values)):
        guard values.indices.contains(index) else { return nil }
        value = values[index]
      case (.name(let name, let repetition), .dictionary(let fields)):
        guard repetition >= 0 else { return nil }
        let found = fields.lazy.filter { $0.name.hasBytes(of: name) }.dropFirst(repetition).first
        guard let found else { return nil }
        value = found.value
      default: return nil
      }
    }
    return value
  }
}
