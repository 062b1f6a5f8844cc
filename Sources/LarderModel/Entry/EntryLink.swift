/// A value that refers to an entry of a collection in the same store.
///
/// It is stored as an address: `#Person/(42)` is the entry with the key `(42)`, in the notation of
/// typed keys, in the collection `Person`.
public struct EntryLink: Sendable, Hashable {
  /// The collection.
  public let collection: String
  /// The key of the entry in the collection.
  public let key: EntryKey

  /// Creates a link.
  public init(collection: String, key: EntryKey) {
    self.collection = collection
    self.key = key
  }

  /// Parses a link from a value, or returns nil if the value is not one.
  public init?(_ value: StoredValue) {
    guard case .url(let text) = value, text.utf8.first == UInt8(ascii: "#"),
      let slash = text.utf8.firstIndex(of: UInt8(ascii: "/"))
    else { return nil }
    let name = String(text[text.utf8.index(after: text.startIndex)..<slash])
    collection = String(name).replacing("%2F", with: "/").replacing("%25", with: "%")
    key = EntryKey(notation: String(text[text.utf8.index(after: slash)...]), style: .typed)
  }

  /// The address of the entry.
  public var text: String {
    let name = collection.replacing("%", with: "%25").replacing("/", with: "%2F")
    return "#\(name)/\(key.notation(.typed))"
  }
}
