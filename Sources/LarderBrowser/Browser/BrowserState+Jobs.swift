extension BrowserState {
  /// Starts the next job of the value, unless one is in progress.
  mutating func startValueJob() -> Effects {
    guard let model = value, let job = model.jobs.first, model.running == nil else { return [] }
    let ticket = ticket { $0.value?.running?.token }
    value?.running = RunningJob(token: ticket.token, cursor: model.cursor)
    return [RunValueJob(model: model, job: job, ticket: ticket)]
  }

  /// Applies the result of a job on the value.
  mutating func valueWorked(_ model: ValueModel, _ finding: ValueFinding?) -> Effects {
    guard let job = value?.jobs.first else { return [] }
    value?.receive(model)
    revealValue()
    if case .find(let isForward, _, _) = job, let search = value?.search {
      say(finding, of: search, isForward: isForward)
    }
    return []
  }

  /// Cancels the jobs of the value that the user waits for; returns whether there were any.
  mutating func stopValueJobs() -> Bool {
    let isSearch = value?.jobs.contains { if case .find = $0 { true } else { false } }
    guard value?.stopMoving() == true else { return false }
    say(isSearch == true ? Messages.stoppedSearch : Messages.stopped)
    return true
  }
}
