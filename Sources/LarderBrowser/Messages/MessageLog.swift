/// What was said so far, so that it can be read when it has left the screen.
package struct MessageLog: Sendable, Equatable {
  /// A message and how often it was said without another in between.
  package struct Item: Sendable, Equatable {
    package var message: Message
    package var count: Int
  }

  /// The messages, the latest first.
  package private(set) var items: [Item] = []

  /// The greatest number of messages that are kept.
  static let depth = 300

  package init() {}

  /// Takes the latest message out again.
  mutating func remove(_ message: Message) {
    guard let latest = items.first, latest.message == message else { return }
    if latest.count > 1 { items[0].count -= 1 } else { items.removeFirst() }
  }

  /// Keeps a message as the latest.
  mutating func add(_ message: Message) {
    if items.first?.message == message {
      items[0].count += 1
      return
    }
    items.insert(Item(message: message, count: 1), at: 0)
    if items.count > Self.depth { items.removeLast() }
  }
}
