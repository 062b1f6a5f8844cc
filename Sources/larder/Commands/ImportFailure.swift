import LarderModel
import LarderOperations

/// Describes the line at which an import stopped, the reason, and what was written before.
struct ImportFailure {
  private let lines: EntryLineReader
  private let location: OpenedLocation
  private let replaces: Bool

  init(_ lines: EntryLineReader, _ location: OpenedLocation, replaces: Bool) {
    self.lines = lines
    self.location = location
    self.replaces = replaces
  }

  /// Returns the failure that ends the import.
  ///
  /// - Parameters:
  ///   - error: The error of the input or the store.
  ///   - line: The line of the entry at fault, if known.
  ///   - outcome: The fate of the earlier entries, as a clause.
  /// - Returns: The exit code and message.
  func failure(
    _ error: any Error, line: Int?, outcome: String = OperationFailure.nothingWritten
  ) -> Failure {
    if let error = error as? InputError ?? interruption(behind: error) {
      let failure = Failure(error.code, "\(error.message); \(outcome)")
      return error.advice.map(failure.advising) ?? failure
    }
    let place = line.map { lines.place(ofLine: $0) + ": " } ?? ""
    if case StoreError.conflict(let current) = error {
      let key = current?.key.notation(location.store.keyStyle)
      return replaces
        ? .conflict(place + Messages.changedDuringImport(key), outcome)
        : Failure.conflict(place + Messages.hasOtherValue(key), outcome)
          .advising(Messages.replaceReplaces)
    }
    let failure = Failure(error)
    if case .unknownOutcome = StoreError(error) { return failure.saying(place + failure.message) }
    return failure.saying(place + Messages.outcome(failure.message, outcome))
  }

  /// Returns the interruption that stopped the store or arrived while it was locked.
  private func interruption(behind error: any Error) -> InputError? {
    switch StoreError(error) {
    case .cancelled, .busy: break
    default: return nil
    }
    do {
      try lines.checkInterruption()
      return nil
    } catch {
      return error as? InputError
    }
  }
}
