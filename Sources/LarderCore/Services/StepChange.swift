/// What a step makes of one entry when it is undone or redone.
public struct StepChange: Sendable, Equatable {
  /// The entry as it has to be; without a value where there has to be none.
  public var from: Entry
  /// What it becomes; without a value where it goes.
  public var to: Entry

  /// Describes a change.
  public init(from: Entry, to: Entry) {
    self.from = from
    self.to = to
  }

  /// What it makes of what somebody else has made of the entry: of a row only the columns that it is
  /// about become others.
  package func value(over theirs: StoredValue?) -> StoredValue? {
    guard case .record(let old)? = from.value, case .record(let new)? = to.value,
      case .record(let found)? = theirs, old.map(\.name) == new.map(\.name),
      found.map(\.name) == new.map(\.name)
    else { return to.value }
    return .record(
      found.indices.map { old[$0].value == new[$0].value ? found[$0] : new[$0] })
  }
}

/// An entry that is not as a step, or its undo, has left it.
public struct StepConflict: Sendable, Equatable {
  /// The entry as it was left; without a value and a fingerprint where there was none, and with a
  /// fingerprint alone where no more is known.
  public var expected: Entry
  /// The entry as it is now; without a value where there is none.
  public var found: Entry

  /// Describes a conflict.
  public init(expected: Entry, found: Entry) {
    self.expected = expected
    self.found = found
  }
}
