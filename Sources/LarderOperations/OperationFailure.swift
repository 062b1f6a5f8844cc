package import LarderModel

/// The reason why an operation ended early, and the resulting state of the entries.
package struct OperationFailure: Error, Sendable, Equatable {
  /// The error that the store reported.
  package let reason: StoreError
  /// The state of the entries, as a clause; empty if it is not known.
  package let outcome: String
  /// A clause that replaces the store's message where that does not explain the failure.
  private let cause: String?

  private static let claims = ["written", "renamed", "deleted", "changed"].map {
    outcome(0, $0)
  }

  package init(
    _ reason: any Error, because cause: String? = nil, outcome: String = nothingWritten
  ) {
    if let failure = reason as? OperationFailure {
      self = failure
    } else {
      self.reason = StoreError(reason)
      self.cause = cause
      // The store then cannot claim that nothing was changed.
      let isUnknown = if case .unknownOutcome = self.reason { true } else { false }
      self.outcome = isUnknown && Self.claims.contains(outcome) ? "" : outcome
    }
  }

  /// Whether the failure is that a key already exists, rather than a conflict with another program.
  package var isTaken: Bool {
    if case .conflict = reason { cause != nil } else { false }
  }

  /// The cause and the outcome as a sentence, without the final full stop.
  package var message: String {
    let cause = cause ?? reason.message
    // The store reports only its own part of the operation, so its claim is replaced.
    for claim in Self.claims where cause.contains(claim) {
      return Self.claims.contains(outcome) ? cause : cause.replacing(claim, with: outcome)
    }
    return outcome.isEmpty ? cause : "\(cause); \(outcome)"
  }
}
