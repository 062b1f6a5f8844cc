extension Entry {
  /// The entry without its value, of which type, size and fingerprint stay known.
  ///
  /// Also where there is no value to hide it is not whole any more.
  package var concealed: Entry {
    var entry = self
    entry.value = nil
    entry.isWhole = false
    return entry
  }
}

extension StoreError {
  /// The same error without the value of another's entry.
  package var concealed: StoreError {
    if case .conflict(let entry?) = self { .conflict(current: entry.concealed) } else { self }
  }

  /// That the values of a store are not used where they would be seen or kept.
  package static func secrets(_ use: String) -> StoreError {
    .notSupported("the values of this store are secrets, which larder does not \(use)")
  }
}

extension Store {
  /// Whether its values are secrets.
  package var hidesValues: Bool { capabilities.contains(.hidesValues) }
}
