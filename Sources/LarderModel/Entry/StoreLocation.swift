/// The location of a store: a path or URL, and the collection inside it.
public struct StoreLocation: Sendable, Hashable {
  /// The path or URL, without the collection.
  public var path: String
  /// The collection inside the store; nil for the whole store.
  public var collection: String?

  /// Creates a location from its parts.
  public init(path: String, collection: String? = nil) {
    self.path = path
    self.collection = collection
  }

  /// Parses a location as entered by the user; `#NAME` selects a collection.
  ///
  /// - Parameters:
  ///   - text: The location as entered.
  ///   - exists: Returns whether a file exists, so that a path that contains `#` takes precedence.
  public init(_ text: String, exists: (String) -> Bool) {
    // The search is by bytes, as a name can begin with a character that combines with the `#`.
    let marks = text.utf8.indices.filter { text.utf8[$0] == UInt8(ascii: "#") }
    guard !exists(text), let mark = marks.last else {
      self.init(path: text)
      return
    }
    // The longest existing path wins: `a#b#c` is the collection c of the file `a#b`.
    let split = marks.last { exists(String(text[..<$0])) } ?? mark
    self.init(
      path: String(text[..<split]), collection: String(text[text.utf8.index(after: split)...]))
  }
}

extension StoreLocation {
  /// Returns the last components of the path, one by default, with the collection.
  package func title(parts count: Int = 1) -> String {
    let parts = path.split(separator: "/")
    let name = count < parts.count || count == 1 ? parts.suffix(count).joined(separator: "/") : path
    return (name.isEmpty ? path : name) + (collection.map { "#\($0)" } ?? "")
  }
}

extension StoreLocation {
  /// Returns a location as entered without the password that the user may have put into it.
  package static func withoutPassword(_ text: String) -> String {
    text.replacing(/^([a-z+]+:\/\/[^:@\/]*):.*@/) { "\($0.output.1)@" }
  }

  /// Returns a location that could not be opened without what precedes the host, which may be a
  /// password given as a user name.
  package static func withoutUser(_ text: String) -> String {
    text.replacing(/^([a-z+]+:\/\/).*@/) { $0.output.1 }
  }
}

extension StoreLocation: CustomStringConvertible {
  /// The location as the user would enter it.
  public var description: String {
    collection.map { "\(path)#\($0)" } ?? path
  }
}
