import Foundation
import LarderCore

/// How far a long command has come, on standard error if that is a terminal.
struct Progress {
  /// How many entries are done.
  var count = 0
  private let verb: String
  private let isShown = isatty(STDERR_FILENO) == 1
  private var last = ContinuousClock.now
  private var isOnScreen = false
  /// As often as people can read.
  private static let interval = Duration.milliseconds(200)

  init(_ verb: String) {
    self.verb = verb
  }

  /// Says how far it is, at most a few times a second.
  mutating func show() {
    guard isShown else { return }
    let now = ContinuousClock.now
    guard now - last >= Self.interval else { return }
    last = now
    isOnScreen = true
    Output.say("\r\(verb) \(count) \(count == 1 ? "entry" : "entries")")
  }

  /// Takes the line off the screen.
  mutating func clear() {
    guard isOnScreen else { return }
    isOnScreen = false
    Output.say("\r\u{1B}[K")
  }
}
