/// The identity of an entry in a cache: a key and the shape of the content.
///
/// A key alone is ambiguous: the list under the key `a`, the value under `a` and the values of the
/// single identifier `a` all have the same key.
@usableFromInline
struct CacheSlot: Hashable, Sendable {
  @usableFromInline
  enum Shape: Hashable, Sendable {
    case value
    case list
    /// The values of several identifiers.
    case values
    case everything
  }

  @usableFromInline let shape: Shape
  @usableFromInline let storedKey: StoredKey

  @inlinable var key: String { storedKey.text }

  @inlinable
  init(_ key: StoredKey, shape: Shape) {
    self.shape = shape
    storedKey = key
  }

  @inlinable
  init(key: String, shape: Shape, _ secrets: KeySecrets = .ofProcess) {
    self.init(StoredKey(key, secrets), shape: shape)
  }

  @inlinable
  static func value(_ key: String, _ secrets: KeySecrets = .ofProcess) -> CacheSlot {
    CacheSlot(key: key, shape: .value, secrets)
  }

  /// Returns every slot with a key.
  @inlinable
  static func all(_ key: StoredKey) -> [CacheSlot] {
    [Shape.value, .list, .values, .everything].map { CacheSlot(key, shape: $0) }
  }

  // The keys first, as they distinguish most slots.
  @inlinable
  static func == (left: CacheSlot, right: CacheSlot) -> Bool {
    left.storedKey == right.storedKey && left.shape == right.shape
  }

  // Only the key is hashed: few keys have more than one shape.
  @inlinable
  func hash(into hasher: inout Hasher) {
    storedKey.hash(into: &hasher)
  }

  @inlinable
  func _rawHashValue(seed: Int) -> Int {
    storedKey._rawHashValue(seed: seed)
  }

  /// Returns the slot for the result of `getAll` with a query.
  @inlinable
  static func list(_ query: any KeyQuery) -> CacheSlot {
    if query is AllObjectsQuery { return CacheSlot(key: query.key, shape: .everything) }
    return CacheSlot(key: query.key, shape: query.entryKeys == nil ? .list : .values)
  }
}
