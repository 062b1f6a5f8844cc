extension BrowserState {
  /// Begins what is to be done next with the value, unless something is being done.
  mutating func startValueJob() -> Effects {
    guard let model = value, let job = model.jobs.first, model.running == nil else { return [] }
    let ticket = ticket { $0.value?.running?.token }
    value?.running = RunningJob(token: ticket.token, cursor: model.cursor)
    return [WorkOnValue(model: model, job: job, ticket: ticket)]
  }

  /// Takes in what was made of the value.
  mutating func valueWorked(_ model: ValueModel, _ finding: ValueFinding?) -> Effects {
    guard let job = value?.jobs.first else { return [] }
    value?.receive(model)
    revealValue()
    if case .find(let isForward, _, _) = job, let search = value?.search {
      say(finding, of: search, isForward: isForward)
    }
    return []
  }

  /// Stops what was to be done with the value; false where that is nothing.
  mutating func stopValueJobs() -> Bool {
    let isSearch = value?.jobs.contains { if case .find = $0 { true } else { false } }
    guard value?.stopMoving() == true else { return false }
    say(isSearch == true ? "the search in the value was stopped" : "stopped")
    return true
  }
}
