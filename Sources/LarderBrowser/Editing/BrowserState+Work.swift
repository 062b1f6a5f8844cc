import LarderModel

extension BrowserState {
  /// Takes in how far a change of many entries has come.
  mutating func worked(_ report: WorkReport) -> Effects {
    guard let known = work?.report, known.token == report.token, !known.isLast else { return [] }
    work?.report = report
    return []
  }

  /// Begins a change of many entries, unless another one is under way, which is said.
  ///
  /// - Returns: Whether it begins.
  mutating func begin(_ model: WorkModel) -> Bool {
    guard work == nil else {
      say("something else is under way; Esc in the keys stops it", .error)
      return false
    }
    work = model
    return true
  }

  /// Asks the change that what lies on top has begun to stop, once.
  mutating func stopOwnWork() -> Effects {
    work?.kind.isOfCache == false ? stopWork() : []
  }

  /// Asks the change that is under way to stop, once.
  mutating func stopWork() -> Effects {
    guard let model = work, !model.isStopping else { return [] }
    work?.isStopping = true
    return [StopWork(token: model.report.token)]
  }

  /// Takes in that a change of many entries of the store that is shown has ended.
  ///
  /// - Parameters:
  ///   - token: Its token.
  ///   - error: Why it ended early, if it did.
  /// - Returns: How many entries it changed before it was stopped, nil where it was not.
  mutating func endWork(_ token: Int?, _ error: StoreError?) -> Int? {
    guard let model = work, model.report.token == token else { return nil }
    work = nil
    guard error == .cancelled else { return nil }
    let count = model.report.changed
    let all = PrefixDeletionModel.entries(max(model.total ?? 0, count))
    let verb = model.kind.participle
    say(
      count == 0
        ? "stopped: nothing was \(verb)"
        : "stopped: \(Thousands.text(count)) of \(all) \(count == 1 ? "was" : "were") \(verb)\(undoHint)"
    )
    return count
  }
}
