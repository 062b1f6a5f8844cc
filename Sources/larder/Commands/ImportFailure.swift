import LarderModel

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
    _ error: any Error, line: Int?, outcome: String = "nothing was written"
  ) -> Failure {
    if let error = error as? InputError ?? interruption(behind: error) {
      let advice = error.advice.map { ". \($0)" } ?? ""
      return Failure(error.code, "\(error.message); \(outcome)\(advice)")
    }
    let place = line.map { lines.place(ofLine: $0) + ": " } ?? ""
    if case StoreError.conflict(let current) = error {
      let key = current?.key.notation(location.store.keyStyle) ?? "an entry"
      return Failure(
        .conflict,
        replaces
          ? "\(place)\(key) changed during the import; \(outcome)"
          : "\(place)\(key) exists with another value; \(outcome). --replace replaces it")
    }
    let failure = Failure(error)
    let isSaid = ["nothing was written", "written before it"].contains {
      failure.message.contains($0)
    }
    return Failure(failure.code, place + failure.message + (isSaid ? "" : "; \(outcome)"))
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
