/// An entry that is not as a step, or its undo, has left it.
public struct StepConflict: Sendable, Equatable {
  /// The entry as it was left; without a value and a fingerprint where there was none, and with a
  /// fingerprint alone where no more is known.
  public var expected: Entry
  /// The entry as it is now; without a value where there is none.
  public var found: Entry
  /// What the step makes of the entry, without a value where it goes; nil where the step concerns
  /// several entries, or a key.
  public var outcome: Entry?

  /// Describes a conflict.
  public init(expected: Entry, found: Entry, outcome: Entry? = nil) {
    self.expected = expected
    self.found = found
    self.outcome = outcome
  }

  /// The key of the entry.
  public var key: EntryKey { expected.key }

  /// What the step makes of what somebody else has made of the entry: of a row only the columns that
  /// it is about become others.
  package func value(over theirs: StoredValue?) -> StoredValue? {
    guard case .record(let old)? = expected.value, case .record(let new)? = outcome?.value,
      case .record(let found)? = theirs, old.map(\.name) == new.map(\.name),
      found.map(\.name) == new.map(\.name)
    else { return outcome?.value }
    return .record(
      found.indices.map { old[$0].value == new[$0].value ? found[$0] : new[$0] })
  }
}
