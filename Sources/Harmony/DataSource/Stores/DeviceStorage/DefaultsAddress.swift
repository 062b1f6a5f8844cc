import Foundation

/// Where in defaults a value is: under a key, or under a key of the dictionary of a root key.
struct DefaultsAddress: Hashable, Sendable {
  let root: StoredKey?
  let key: StoredKey

  init(root: String? = nil, key: String) {
    self.root = root.map { StoredKey($0) }
    self.key = StoredKey(key)
  }

  /// Whether `UserDefaults` can hold the value beside all others.
  ///
  /// When it has been saved, it takes the two spellings of `é` for one key. What has the other
  /// spelling than the composed one is kept in the journal only, and so is what begins with a byte
  /// order mark, which it would forget.
  var isShown: Bool {
    Self.isComposed(key.text) && (root.map { Self.isComposed($0.text) } ?? true)
  }

  private static func isComposed(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 < 0x80 }
      || text.unicodeScalars.first != "\u{FEFF}"
        && text.precomposedStringWithCanonicalMapping.utf8.elementsEqual(text.utf8)
  }
}
