import Foundation

/// The address of a value in a property list: a key, or a key in the dictionary of a root key.
///
/// Foundation treats canonically equivalent spellings of a key, such as of `é`, as the same key,
/// and drops a leading byte order mark in XML. A key that it could confuse with another is stored
/// percent-encoded after a marker.
struct DefaultsAddress: Hashable, Sendable {
  private static let marker = "harmony%"

  /// The stored key of the dictionary; nil if the value has its own key.
  let root: String?

  /// The stored key.
  let key: String

  init(root: String? = nil, key: String) {
    self.root = root.map(Self.stored)
    self.key = Self.stored(key)
  }

  /// The key in the property list that holds the value or its dictionary.
  var topKey: String { root ?? key }

  /// Returns the decoded form of a stored key; nil if it is not an encoding that a source would
  /// produce.
  static func key(ofStored stored: String) -> String? {
    guard stored.utf8.starts(with: marker.utf8) else { return isPlain(stored) ? stored : nil }
    let bytes = PercentCoding.bytes(of: stored.utf8.dropFirst(marker.utf8.count))
    guard let key = bytes.flatMap({ String(validating: $0, as: UTF8.self) }),
      Self.stored(key).utf8.elementsEqual(stored.utf8)
    else { return nil }
    return key
  }

  private static func stored(_ key: String) -> String {
    isPlain(key) ? key : marker + PercentCoding.escaped(key.utf8, besides: ".-_")
  }

  private static func isPlain(_ key: String) -> Bool {
    guard !key.utf8.starts(with: marker.utf8) else { return false }
    return key.utf8.allSatisfy { $0 < 0x80 }
      || key.unicodeScalars.first != "\u{FEFF}"
        && key.precomposedStringWithCanonicalMapping.utf8.elementsEqual(key.utf8)
  }
}
