/// The place of an entry in a cache.
///
/// Keys alone are not enough: the list under the key `a`, the value under `a` and the values of
/// the one identifier `a` are different things with one key.
struct CacheSlot: Hashable, Sendable {
  enum Shape: Hashable, Sendable {
    case value
    case list
    /// The values of several identifiers.
    case values
    case everything
  }

  let shape: Shape
  private let storedKey: StoredKey

  var key: String { storedKey.text }

  private init(key: String, shape: Shape) {
    self.shape = shape
    storedKey = StoredKey(key)
  }

  static func value(_ key: String) -> CacheSlot {
    CacheSlot(key: key, shape: .value)
  }

  /// The slot of what `getAll` answers to a query.
  static func list(_ query: any KeyQuery) -> CacheSlot {
    switch query {
    case is AllObjectsQuery: CacheSlot(key: query.key, shape: .everything)
    case is any KeysQuery: CacheSlot(key: query.key, shape: .values)
    default: CacheSlot(key: query.key, shape: .list)
    }
  }
}
