extension Entry {
  /// The entry without its value, but with its type, size and fingerprint.
  ///
  /// The result is never whole, even if there was no value to hide.
  package var concealed: Entry {
    var entry = self
    entry.value = nil
    entry.isWhole = false
    return entry
  }
}

extension StoreError {
  /// The same error without the value of a conflicting entry.
  package var concealed: StoreError {
    if case .conflict(let entry?) = self { .conflict(current: entry.concealed) } else { self }
  }
}

extension Store {
  /// Whether the store's values are secrets.
  package var hidesValues: Bool { capabilities.contains(.hidesValues) }
}
