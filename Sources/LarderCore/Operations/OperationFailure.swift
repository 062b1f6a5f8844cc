/// Why an operation ended early, and what became of the entries.
package struct OperationFailure: Error, Sendable, Equatable {
  /// What the store reports.
  package let reason: StoreError
  /// What became of the entries, as a clause.
  package let outcome: String
  /// What happened, as a clause, where the reason alone does not say it.
  private let cause: String?

  /// The outcome of what failed before the first write.
  package static let nothingWritten = "nothing was written"

  package init(
    _ reason: any Error, because cause: String? = nil, outcome: String = nothingWritten
  ) {
    if let failure = reason as? OperationFailure {
      self = failure
    } else {
      self.reason = StoreError(reason)
      self.cause = cause
      self.outcome = outcome
    }
  }

  /// Whether a key is taken, and no entry was changed by others.
  package var isTaken: Bool {
    if case .conflict = reason { cause != nil } else { false }
  }

  /// What happened and what became of the entries, as a sentence without its end.
  package var message: String {
    let cause = cause ?? reason.message
    let isSaid = outcome.isEmpty || cause.contains(Self.nothingWritten)
    return cause + (isSaid ? "" : "; \(outcome)")
  }

  /// A number of entries, in words.
  package static func entries(_ count: Int) -> String {
    "\(count) \(count == 1 ? "entry" : "entries")"
  }
}
