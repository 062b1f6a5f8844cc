import LarderModel

extension BrowserState {
  /// Updates the progress of a bulk change.
  mutating func worked(_ report: BulkChangeProgress) -> Effects {
    guard let known = work?.report, known.token == report.token, !known.isLast else { return [] }
    work?.report = report
    return []
  }

  /// Begins a bulk change, or shows an error if another one is in progress.
  ///
  /// - Returns: Whether the change has begun.
  mutating func begin(_ model: BulkChangeModel) -> Bool {
    guard work == nil else {
      say(Messages.otherChange, .error)
      return false
    }
    work = model
    return true
  }

  /// Asks the bulk change begun by the topmost overlay to stop, unless it was asked already.
  mutating func stopOwnWork() -> Effects {
    work?.kind.isOfCache == false ? stopWork() : []
  }

  /// Asks the bulk change in progress to stop, unless it was asked already.
  mutating func stopWork() -> Effects {
    guard let model = work, !model.isStopping else { return [] }
    work?.isStopping = true
    return [CancelBulkChange(token: model.report.token)]
  }

  /// Ends a bulk change of the store shown, and reports if it was stopped.
  ///
  /// - Parameters:
  ///   - token: The token of the change.
  ///   - error: The error that ended it early, or `nil`.
  /// - Returns: The number of entries that were changed before it was stopped, or `nil` if it was
  ///   not stopped.
  mutating func endWork(_ token: Int?, _ error: StoreError?) -> Int? {
    guard let model = work, model.report.token == token else { return nil }
    work = nil
    guard error == .cancelled else { return nil }
    let count = model.report.changed
    let verb = model.kind.participle
    say(
      count == 0
        ? Messages.stopped(Messages.nothing(verb))
        : Messages.stopped(count, of: max(model.total ?? 0, count), verb) + undoHint)
    return count
  }
}
