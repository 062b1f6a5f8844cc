/// An entry that was changed after the recorded change or its undo.
public struct UndoConflict: Sendable, Equatable {
  /// The entry as the recorded change left it.
  ///
  /// It has no value and no fingerprint if it did not exist, and only a fingerprint if nothing else
  /// is known.
  public var expected: Entry
  /// The current entry, without a value if it does not exist.
  public var found: Entry
  /// The entry that the undo or redo would produce, without a value if it would be deleted; nil for
  /// a change of several entries or of a key.
  public var outcome: Entry?
  /// The number of the later recorded change that left the entry as it is now; nil if another
  /// program changed it.
  public var later: Int64?

  /// Creates a description of a conflict.
  public init(expected: Entry, found: Entry, outcome: Entry? = nil) {
    self.expected = expected
    self.found = found
    self.outcome = outcome
  }

  /// The key of the entry.
  public var key: EntryKey { expected.key }

  /// Returns the outcome merged with another program's value: in a row, only the columns that the
  /// change affects are replaced.
  package func value(over theirs: StoredValue?) -> StoredValue? {
    guard case .record(let old)? = expected.value, case .record(let new)? = outcome?.value,
      case .record(let found)? = theirs, old.map(\.name) == new.map(\.name),
      found.map(\.name) == new.map(\.name)
    else { return outcome?.value }
    return .record(
      found.indices.map { old[$0].value == new[$0].value ? found[$0] : new[$0] })
  }
}
