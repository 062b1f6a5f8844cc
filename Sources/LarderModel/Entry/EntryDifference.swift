/// The change of an entry between two reads of a store.
public struct EntryDifference: Sendable, Hashable {
  /// The kind of a change.
  public enum Change: String, Sendable, Hashable {
    /// The key was added.
    case added
    /// The value was changed.
    case changed
    /// The key was removed.
    case removed
    /// The entry has expired but is still stored.
    case expired
  }

  /// The kind of the change.
  public let change: Change
  /// The key.
  public let key: EntryKey
  /// The new value; nil if it was removed or is too large to read.
  public let value: StoredValue?
  /// The old value; nil if there was none or it was too large to retain.
  public let old: StoredValue?

  /// Creates a description of a change.
  public init(_ change: Change, _ key: EntryKey, value: StoredValue? = nil, old: StoredValue? = nil)
  {
    self.change = change
    self.key = key
    self.value = value
    self.old = old
  }
}
