import Foundation
import Synchronization
import TerminalUI

/// The address of the message, a C string; 0 for none.
private let words = Atomic<Int>(0)

/// Prints a message on standard error if a signal ends the process.
enum ExitMessage {
  private static let signals = [SIGTERM, SIGHUP]

  /// Runs a closure, and prints a message if a signal ends the process meanwhile.
  static func printIfKilled<Result>(_ sentence: String, during body: () -> Result) -> Result {
    let text = strdup("larder: \(Sanitizer.display(sentence))\n")
    words.store(Int(bitPattern: text), ordering: .sequentiallyConsistent)
    var before: [(Int32, sigaction)] = []
    for number in signals { if let old = listen(to: number) { before.append((number, old)) } }
    defer {
      for (number, var old) in before { sigaction(number, &old, nil) }
      // Not freed, because a handler may still be reading it.
      words.store(0, ordering: .sequentiallyConsistent)
    }
    return body()
  }

  private static func listen(to number: Int32) -> sigaction? {
    var before = sigaction()
    // A process that ignores SIGHUP, as under `nohup`, continues to do so.
    guard sigaction(number, nil, &before) == 0,
      unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) != Self.ignored
    else { return nil }
    var action = sigaction()
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    action.__sigaction_handler.sa_handler = { number in
      // Only async-signal-safe calls are allowed here.
      if let text = UnsafePointer<CChar>(bitPattern: words.load(ordering: .relaxed)) {
        _ = write(STDERR_FILENO, text, strlen(text))
      }
      kill(getpid(), number)
    }
    sigaction(number, &action, nil)
    return before
  }

  /// The value of `SIG_IGN`, which is not a function that could be compared.
  private static let ignored = 1
}
