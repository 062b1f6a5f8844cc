/// A value that leads to an entry of a collection in the same store.
///
/// It is kept as an address: `#Person/(42)` is the entry under the number 42 in the collection
/// `Person`, with the key in the notation of typed keys.
public struct EntryLink: Sendable, Hashable {
  /// The collection.
  public let collection: String
  /// The key in it.
  public let key: EntryKey

  /// Creates a link.
  public init(collection: String, key: EntryKey) {
    self.collection = collection
    self.key = key
  }

  /// The link that a value is; nil for other values.
  public init?(_ value: StoredValue) {
    guard case .url(let text) = value, text.utf8.first == UInt8(ascii: "#"),
      let slash = text.utf8.firstIndex(of: UInt8(ascii: "/"))
    else { return nil }
    let name = String(text[text.utf8.index(after: text.startIndex)..<slash])
    collection = String(name).replacing("%2F", with: "/").replacing("%25", with: "%")
    key = EntryKey(notation: String(text[text.utf8.index(after: slash)...]), style: .typed)
  }

  /// The address.
  public var text: String {
    let name = collection.replacing("%", with: "%25").replacing("/", with: "%2F")
    return "#\(name)/\(key.notation(.typed))"
  }
}
