/// The part of the defaults that belongs to a source.
struct DefaultsSpace: Sendable {
  /// The key of the dictionary with all entries; nil if each has its own key.
  private let root: String?

  private let prefix: String

  init<T>(_ type: DeviceStorageType, of values: T.Type) {
    switch type {
    case .regular: (root, prefix) = (nil, "")
    case .prefix(let prefix): (root, self.prefix) = (nil, prefix.isEmpty ? "" : prefix + ".")
    case .rootKey(let key): (root, prefix) = ("\(key)<\(values)>", "")
    }
  }

  /// Whether only this source has entries in this part.
  var isOwn: Bool { root != nil || !prefix.isEmpty }

  /// The stored key of the dictionary with all entries.
  var storedRoot: String? { address(of: "").root }

  /// Returns the address of a key in the defaults.
  func address(of key: String) -> DefaultsAddress {
    DefaultsAddress(root: root, key: prefix + key)
  }

  /// Returns the key of a stored key; nil if it is not in this part.
  func key(of stored: String) -> String? {
    guard let stored = DefaultsAddress.key(ofStored: stored) else { return nil }
    // Compares bytes, because a dot and a following combining accent are one character.
    guard stored.utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: stored.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}

extension DefaultsValue {
  /// Returns the value as a list; nil if it is not a list of this type.
  func list<T>() -> [T]? {
    guard case .array(let values) = self else { return nil }
    var list: [T] = []
    for value in values {
      guard let element: T = value.reading() else { return nil }
      list.append(element)
    }
    return list
  }

  /// Whether values that were read from this one have the type that it was stored with.
  func isStored<T>(as values: [T]) -> Bool {
    let read = values.map { DefaultsValue(any: $0) }
    if read.count == 1, let single = read[0], isOfKind(single) { return true }
    guard case .array(let stored) = self, stored.count == read.count else { return false }
    return zip(stored, read).allSatisfy { stored, read in
      read.map(stored.isOfKind) ?? false
    }
  }

  /// Converts the value to a type; nil if its meaning would change.
  func reading<T>() -> T? {
    guard let type = T.self as? any DefaultsStorable.Type else { return natural as? T }
    return type.reading(self) as? T
  }

  /// Whether two values, including those nested in them, have the same types.
  fileprivate func isOfKind(_ other: DefaultsValue) -> Bool {
    switch (self, other) {
    case (.bool, .bool), (.integer, .integer), (.unsigned, .unsigned), (.string, .string),
      (.data, .data), (.date, .date), (.double, .double), (.float, .float),
      // Other programs that save defaults know only one floating-point type.
      (.double, .float), (.float, .double):
      true
    case (.array(let own), .array(let other)):
      own.count == other.count && zip(own, other).allSatisfy { $0.isOfKind($1) }
    case (.dictionary(let own), .dictionary(let other)):
      own.count == other.count
        && own.allSatisfy { key, value in other[key].map(value.isOfKind) ?? false }
    default: false
    }
  }
}
