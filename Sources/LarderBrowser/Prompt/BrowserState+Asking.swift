import LarderModel

extension BrowserState {
  /// Returns a ticket for a read whose result is shown in an overlay.
  mutating func askingTicket() -> Ticket {
    let ticket = ticket { $0.keys?.asking }
    keys?.asking = ticket.token
    return ticket
  }

  /// Returns the result of such a read, or shows its error.
  ///
  /// - Returns: The result, or `nil` if the read failed or another overlay is open.
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

  /// Stops the read in progress; returns `nil` if there is none.
  mutating func stopAsking() -> Effects? {
    guard keys?.asking != nil else { return nil }
    keys?.asking = nil
    say(Messages.stopped(Messages.nothing("changed")))
    return [Cancel(.asking)]
  }
}
