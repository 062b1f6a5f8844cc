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

extension DefaultsValue {
  /// Converts the value; nil if its meaning would be lost.
  fileprivate func reading<T>() -> T? {
    guard let type = T.self as? any DefaultsStorable.Type else { return natural as? T }
    return type.reading(self) as? T
  }
}
