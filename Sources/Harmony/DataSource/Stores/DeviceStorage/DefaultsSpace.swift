/// The part of defaults that belongs to a source.
struct DefaultsSpace: Sendable {
  /// The key of the dictionary that holds all entries; nil if each has its own key.
  let root: String?

  private let prefix: String

  init<T>(_ type: DeviceStorageType, of values: T.Type) {
    switch type {
    case .regular: (root, prefix) = (nil, "")
    case .prefix(let prefix): (root, self.prefix) = (nil, prefix.isEmpty ? "" : prefix + ".")
    case .rootKey(let key): (root, prefix) = ("\(key)<\(values)>", "")
    }
  }

  /// Whether nobody else has entries here.
  var isOwn: Bool { root != nil || !prefix.isEmpty }

  /// Where a key is in the defaults.
  func address(of key: String) -> DefaultsAddress {
    DefaultsAddress(root: root, key: prefix + key)
  }

  /// The key of what is stored under another; nil if it is not of this part.
  func key(of stored: String) -> String? {
    // Bytes, not characters: a dot and an accent behind it are one character.
    guard stored.utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: stored.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}

extension DefaultsEntry {
  /// The value as one of a type; nil if it is none, or a list.
  func single<T>() -> T? {
    // Only an empty list can be taken for a value that is one: others differ in their elements.
    if isList == true, case .array(let values) = value, values.isEmpty { return nil }
    return value?.reading()
  }

  /// The value as a list; nil if it is none.
  func list<T>() -> [T]? {
    guard case .array(let values) = value, isList != false || !values.isEmpty else { return nil }
    var list: [T] = []
    for value in values {
      guard let element: T = value.reading() else { return nil }
      list.append(element)
    }
    return list
  }
}

extension DefaultsEntry {
  /// Whether values that were read from this entry are of the type that it was stored with.
  func isStored<T>(as values: [T]) -> Bool {
    let read = values.map { DefaultsValue(any: $0) }
    guard let value else { return false }
    if read.count == 1, let single = read[0], value.isOfKind(single) { return true }
    guard case .array(let stored) = value, stored.count == read.count else { return false }
    return zip(stored, read).allSatisfy { stored, read in
      read.map(stored.isOfKind) ?? false
    }
  }
}

extension DefaultsValue {
  /// Whether two values, and those in them, are of the same types.
  fileprivate func isOfKind(_ other: DefaultsValue) -> Bool {
    switch (self, other) {
    case (.bool, .bool), (.integer, .integer), (.unsigned, .unsigned), (.string, .string),
      (.data, .data), (.date, .date), (.url, .url), (.double, .double), (.float, .float),
      // Whoever else saves defaults knows one type of fractions only.
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

extension DefaultsValue {
  /// Converts the value; nil if its meaning would be lost.
  fileprivate func reading<T>() -> T? {
    guard let type = T.self as? any DefaultsStorable.Type else { return natural as? T }
    return type.reading(self) as? T
  }
}
