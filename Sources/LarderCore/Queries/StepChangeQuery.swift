import Harmony

/// Asks the journal what a step that concerns one entry made of it, and what it was before.
///
/// `getAll`, at a store with a journal, answers with two entries, which have no value where there is
/// none: what the entry is as the step, or its undo, has left it, and what it becomes when the step is
/// taken back, or done again. The future fails with `NotFound` where the step concerns more, or gave
/// an entry another key. Stores without a journal answer with `QueryNotSupported`.
package struct StepChangeQuery: Query, Hashable {
  /// The number of the step.
  package var step: Int64
  /// Whether the step was taken back, and is to be done again.
  package var isRedo: Bool

  package init(step: Int64, isRedo: Bool) {
    self.step = step
    self.isRedo = isRedo
  }
}

/// What a step makes of one entry when it is taken back, or done again.
package struct StepChange: Sendable, Equatable {
  /// The entry as it has to be; without a value where there has to be none.
  package var from: Entry
  /// What it becomes; without a value where it goes.
  package var to: Entry

  package init(from: Entry, to: Entry) {
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
