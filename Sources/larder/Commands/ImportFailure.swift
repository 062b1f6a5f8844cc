import LarderModel

/// Says where in its input an import stopped, why, and what was done before.
struct ImportFailure {
  private let lines: EntryLineReader
  private let location: OpenedLocation
  private let replaces: Bool

  init(_ lines: EntryLineReader, _ location: OpenedLocation, replaces: Bool) {
    self.lines = lines
    self.location = location
    self.replaces = replaces
  }

  /// The failure that an error ends the import with.
  ///
  /// - Parameters:
  ///   - error: What the input or the store said.
  ///   - line: The line whose entry was at fault, if it is known.
  ///   - outcome: What became of the entries before it, as a clause.
  /// - Returns: The code and the sentence.
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
          ? "\(place)\(key) was changed meanwhile; \(outcome)"
          : "\(place)\(key) exists with another value; \(outcome). --replace replaces it")
    }
    let failure = Failure(error)
    let isSaid = ["nothing was written", "written before it"].contains {
      failure.message.contains($0)
    }
    return Failure(failure.code, place + failure.message + (isSaid ? "" : "; \(outcome)"))
  }

  /// The interruption that made the store stop, or that came while others held it.
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
