import LarderModel

extension BrowserState {
  /// A ticket for what is read before a question, or anything else, is shown over the panes.
  mutating func askingTicket() -> Ticket {
    let ticket = ticket { $0.keys?.asking }
    keys?.asking = ticket.token
    return ticket
  }

  /// Takes what was read for that, or says why it could not be read.
  ///
  /// - Returns: What was read; nil where it could not be, or where something else is over the panes.
  mutating func takeAsked<Value>(_ result: Answer<Value>) -> Value? {
    keys?.asking = nil
    guard overlay == nil else { return nil }
    switch result {
    case .success(let value): return value
    case .failure(.cancelled): return nil
    case .failure(let error):
      say(error.message, .error)
      return nil
    }
  }

  /// Stops the reading; nil where nothing is read.
  mutating func stopAsking() -> Effects? {
    guard keys?.asking != nil else { return nil }
    keys?.asking = nil
    say("stopped: nothing was changed")
    return [Cancel(.asking)]
  }
}
