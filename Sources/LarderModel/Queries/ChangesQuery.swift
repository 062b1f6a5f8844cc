public import Harmony

/// One of several changes that are made together.
public struct EntryChange: Sendable, Hashable {
  /// The key of the entry to write or delete.
  public var key: EntryKey
  /// The value to write, or nil to delete the entry.
  public var value: StoredValue?
  /// The expected fingerprint, or nil if the key must not exist.
  public var expecting: Fingerprint?
  /// The storage form of the value, as in ``Entry/form``; nil for the default form of its type.
  public var form: String?

  /// Creates a change.
  public init(
    _ key: EntryKey, value: StoredValue?, expecting: Fingerprint?, form: String? = nil
  ) {
    self.key = key
    self.value = value
    self.expecting = expecting
    self.form = form
  }
}

/// A conditional write of several entries, each only if it is unchanged since it was read.
///
/// It is answered by `putAll`, whose values are ignored, with the entries as stored. Stores with
/// transactions make all changes or none; others make them in order and stop at the first failure.
/// A change whose expectation is not met fails the future with ``StoreError/conflict(current:)``.
public struct ChangesQuery: Query, Hashable {
  /// The changes in order, with at most one for each key.
  public var changes: [EntryChange]
  /// The scan that receives progress and can stop the source; ignored by equality.
  public var scan: Scan?
  /// Whether keys and values from another store must be stored exactly as they are.
  ///
  /// For a key that the user entered, the column decides whether digits are a number.
  public var areExact: Bool

  /// Creates a query for some changes.
  public init(_ changes: [EntryChange], scan: Scan? = nil, areExact: Bool = false) {
    self.changes = changes
    self.scan = scan
    self.areExact = areExact
  }

  /// Whether both queries have the same changes.
  public static func == (left: Self, right: Self) -> Bool {
    left.changes == right.changes && left.areExact == right.areExact
  }

  /// Feeds the changes to the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(changes) }
}

/// A rename of an entry, if it is unchanged and the new key does not exist.
///
/// It is answered by `put`, whose value is ignored, with the entry under its new key. The future
/// fails with ``StoreError/conflict(current:)`` if the entry has changed or the new key exists.
public struct RenameQuery: KeyQuery, Hashable {
  /// The current key of the entry.
  public var entryKey: EntryKey
  /// The new key of the entry.
  public var newKey: EntryKey
  /// The expected fingerprint of the entry.
  public var expecting: Fingerprint

  /// Creates a query for a new key.
  public init(_ key: EntryKey, to newKey: EntryKey, expecting: Fingerprint) {
    entryKey = key
    self.newKey = newKey
    self.expecting = expecting
  }

  /// A string that is unique to the old key, for sources with string keys.
  public var key: String { entryKey.cacheKey }
}

/// Renames of several entries in order, with the guarantees of a ``ChangesQuery``.
///
/// It is answered by `putAll` with the entries under their new keys.
public struct RenamesQuery: Query, Hashable {
  /// The renames in order.
  public var renames: [RenameQuery]
  /// The scan that receives progress and can stop the source; ignored by equality.
  public var scan: Scan?

  /// Creates a query for several renames.
  public init(_ renames: [RenameQuery], scan: Scan? = nil) {
    self.renames = renames
    self.scan = scan
  }

  /// Whether both queries have the same renames.
  public static func == (left: Self, right: Self) -> Bool { left.renames == right.renames }

  /// Feeds the renames to the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(renames) }
}
