/// What became of one entry between two looks at a store.
public struct EntryDifference: Sendable, Hashable {
  /// What happened.
  public enum Change: String, Sendable, Hashable {
    /// The key was not there before.
    case added
    /// The value is another one.
    case changed
    /// The key is not there any more.
    case removed
    /// The time until which the value counts has come; it is still there.
    case expired
  }

  /// What happened.
  public let change: Change
  /// The key.
  public let key: EntryKey
  /// The value now; nil where it was removed, and where it is too large to be read for this.
  public let value: StoredValue?
  /// The value before; nil where there was none, and where it was too large to be kept.
  public let old: StoredValue?

  /// Describes a change.
  public init(_ change: Change, _ key: EntryKey, value: StoredValue? = nil, old: StoredValue? = nil)
  {
    self.change = change
    self.key = key
    self.value = value
    self.old = old
  }
}
