/// Where a store is: a path or a URL, and the collection inside it.
public struct StoreLocation: Sendable, Hashable {
  /// The path or URL, without the collection.
  public var path: String
  /// The collection inside the store, or nil for the store as a whole.
  public var collection: String?

  /// Creates a location from its parts.
  public init(path: String, collection: String? = nil) {
    self.path = path
    self.collection = collection
  }

  /// Reads a location as it is typed; `#NAME` picks a collection.
  ///
  /// - Parameters:
  ///   - text: The location as typed.
  ///   - exists: Whether a file is there: a path that really contains `#` wins over a collection.
  public init(_ text: String, exists: (String) -> Bool) {
    // Not by characters: a name may begin with what combines with the mark before it.
    let marks = text.utf8.indices.filter { text.utf8[$0] == UInt8(ascii: "#") }
    guard !exists(text), let mark = marks.last else {
      self.init(path: text)
      return
    }
    // The longest path that is there: `a#b#c` is the collection c of the file `a#b`.
    let split = marks.last { exists(String(text[..<$0])) } ?? mark
    self.init(
      path: String(text[..<split]), collection: String(text[text.utf8.index(after: split)...]))
  }
}

extension StoreLocation {
  /// The last part of the path, or as many as are wanted, with the collection.
  package func title(parts count: Int = 1) -> String {
    let parts = path.split(separator: "/")
    let name = count < parts.count || count == 1 ? parts.suffix(count).joined(separator: "/") : path
    return (name.isEmpty ? path : name) + (collection.map { "#\($0)" } ?? "")
  }
}

extension StoreLocation: CustomStringConvertible {
  /// The location as it is typed.
  public var description: String {
    collection.map { "\(path)#\($0)" } ?? path
  }
}
