import Foundation
import Synchronization
import TerminalUI

/// The address of what is to be said, a C string; 0 for nothing.
private let words = Atomic<Int>(0)

/// Says on standard error where something is when a signal ends the process at once.
enum LastWords {
  private static let signals = [SIGTERM, SIGHUP]

  /// Does something, and says a sentence if a signal ends the process meanwhile.
  static func standBy<Result>(_ sentence: String, during body: () -> Result) -> Result {
    let text = strdup("larder: \(Sanitizer.display(sentence))\n")
    words.store(Int(bitPattern: text), ordering: .sequentiallyConsistent)
    var before: [(Int32, sigaction)] = []
    for number in signals { if let old = listen(to: number) { before.append((number, old)) } }
    defer {
      for (number, var old) in before { sigaction(number, &old, nil) }
      // Not freed: a handler may still be reading it.
      words.store(0, ordering: .sequentiallyConsistent)
    }
    return body()
  }

  private static func listen(to number: Int32) -> sigaction? {
    var before = sigaction()
    // What was started to outlive its terminal goes on doing so.
    guard sigaction(number, nil, &before) == 0,
      unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) != Self.ignored
    else { return nil }
    var action = sigaction()
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    action.__sigaction_handler.sa_handler = { number in
      // Nothing else may be done here than what is safe at any moment.
      if let text = UnsafePointer<CChar>(bitPattern: words.load(ordering: .relaxed)) {
        _ = write(STDERR_FILENO, text, strlen(text))
      }
      kill(getpid(), number)
    }
    sigaction(number, &action, nil)
    return before
  }

  /// What `SIG_IGN` is, which is no function that could be compared.
  private static let ignored = 1
}
