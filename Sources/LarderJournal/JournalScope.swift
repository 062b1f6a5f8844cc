import HarmonySQLite
public import LarderModel

/// The stores to look up changes for.
public enum JournalScope: Sendable, Hashable, CustomStringConvertible {
  /// One store; all its collections if none is named.
  case store(StoreLocation)
  /// A directory and every store inside it, by its path without links.
  case everything(inside: String)

  /// The SQL condition for the changes of these stores, which uses ``values``.
  var condition: String {
    switch self {
    case .store: "(s.path = ?1 AND (?2 IS NULL OR s.collection IS ?2))"
    case .everything: "(s.path = ?1 OR substr(s.path, 1, length(?2)) = ?2)"
    }
  }

  /// The parameters of ``condition``.
  var values: [SQLiteValue] {
    switch self {
    case .store(let location):
      [.text(location.path), location.collection.map { .text($0) } ?? .null]
    case .everything(let path):
      [.text(path), .text(path.hasSuffix("/") ? path : path + "/")]
    }
  }

  /// The location as the user would type it.
  public var description: String {
    switch self {
    case .store(let location): location.description
    case .everything(let path): path
    }
  }
}
