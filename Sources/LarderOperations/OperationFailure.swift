package import LarderModel

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

  private static let claims = ["written", "renamed", "deleted", "changed"].map {
    "nothing was \($0)"
  }

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
    // What the store knows is only of its own part.
    for claim in Self.claims where cause.contains(claim) {
      return Self.claims.contains(outcome) ? cause : cause.replacing(claim, with: outcome)
    }
    return outcome.isEmpty ? cause : "\(cause); \(outcome)"
  }

  /// A number of entries, in words.
  package static func entries(_ count: Int) -> String {
    "\(count) \(count == 1 ? "entry" : "entries")"
  }

  /// What became of entries of which so many were changed, as a clause: `2 entries were deleted`.
  package static func outcome(_ count: Int, _ verb: String) -> String {
    count == 0 ? "nothing was \(verb)" : "\(entries(count)) \(count == 1 ? "was" : "were") \(verb)"
  }
}
