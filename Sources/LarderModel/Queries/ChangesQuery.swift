public import Harmony

/// One of several changes that are made together.
public struct EntryChange: Sendable, Hashable {
  /// The key to write under, or whose entry to remove.
  public var key: EntryKey
  /// The value to write, or nil to remove the entry.
  public var value: StoredValue?
  /// What the store must hold, or nil: the key must not exist.
  public var expecting: Fingerprint?
  /// How the value is kept, as ``Entry/form`` says it; nil as any value of its type is.
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

/// Several changes, each of which happens only if the store still holds what was read.
///
/// Answered by `putAll`, whose values are not looked at, with the entries as stored. Stores with
/// transactions make all changes or none; others make them in order and stop at the first that
/// fails. A change that expects something else than there is fails the future with
/// ``StoreError/conflict(current:)``.
public struct ChangesQuery: Query, Hashable {
  /// What to change, in order; no two with one key.
  public var changes: [EntryChange]
  /// Where the source reports how far it is, and learns that it is to stop; no part of equality.
  public var scan: Scan?
  /// Whether keys and values are those of another store, and have to be just these: whoever types
  /// one leaves it to the column whether digits are a number.
  public var areExact: Bool

  /// Creates a query for some changes.
  public init(_ changes: [EntryChange], scan: Scan? = nil, areExact: Bool = false) {
    self.changes = changes
    self.scan = scan
    self.areExact = areExact
  }

  /// Whether both mean the same changes.
  public static func == (left: Self, right: Self) -> Bool {
    left.changes == right.changes && left.areExact == right.areExact
  }

  /// Hashes the changes.
  public func hash(into hasher: inout Hasher) { hasher.combine(changes) }
}

/// Gives an entry another key, if the store still holds what was read and the key is free.
///
/// `put`, whose value is not looked at, answers with the entry under its new key. The future fails
/// with ``StoreError/conflict(current:)`` where the entry has changed or the new key exists.
public struct RenameQuery: KeyQuery, Hashable {
  /// The key of the entry.
  public var entryKey: EntryKey
  /// The key that it gets.
  public var newKey: EntryKey
  /// What the store must hold under the old key.
  public var expecting: Fingerprint

  /// Creates a query for a new key.
  public init(_ key: EntryKey, to newKey: EntryKey, expecting: Fingerprint) {
    entryKey = key
    self.newKey = newKey
    self.expecting = expecting
  }

  /// A text that is different for every old key, for sources keyed by text.
  public var key: String { entryKey.cacheKey }
}

/// Several entries that get other keys, in order, as ``ChangesQuery`` makes changes.
///
/// Answered by `putAll` with the entries under their new keys.
public struct RenamesQuery: Query, Hashable {
  /// What to rename.
  public var renames: [RenameQuery]
  /// Where the source reports how far it is, and learns that it is to stop; no part of equality.
  public var scan: Scan?

  /// Creates a query for several new keys.
  public init(_ renames: [RenameQuery], scan: Scan? = nil) {
    self.renames = renames
    self.scan = scan
  }

  /// Whether both mean the same new keys.
  public static func == (left: Self, right: Self) -> Bool { left.renames == right.renames }

  /// Hashes the new keys.
  public func hash(into hasher: inout Hasher) { hasher.combine(renames) }
}
