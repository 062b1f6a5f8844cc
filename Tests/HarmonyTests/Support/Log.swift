import Harmony

/// A thread-safe log of events in order.
final class Log<Entry: Sendable>: Sendable {
  private let entries = Locked<[Entry]>([])

  var all: [Entry] { entries.withLock { $0 } }

  func add(_ entry: Entry) {
    entries.withLock { $0.append(entry) }
  }
}
