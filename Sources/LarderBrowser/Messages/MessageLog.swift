/// The log of messages, in which the user can read those that have left the screen.
package struct MessageLog: Sendable, Equatable {
  /// A message and the number of its consecutive repetitions.
  package struct Item: Sendable, Equatable {
    package var message: Message
    package var count: Int
  }

  /// The messages, newest first.
  package private(set) var items: [Item] = []
  /// The message on screen, which is the last one until the next action.
  package var shown: Message? {
    didSet { if let shown, shown != oldValue { add(shown) } }
  }
  /// The total number of warnings and errors.
  private(set) var warningCount = 0
  /// The number of refused commands.
  ///
  /// After a refusal, input typed ahead is discarded, because it was meant for the result of the
  /// command.
  fileprivate(set) var refusalCount = 0

  /// The maximum number of messages in the log.
  static let depth = 300

  package init() {}

  /// Removes a message if it is the newest.
  fileprivate mutating func remove(_ message: Message) {
    guard let latest = items.first, latest.message == message else { return }
    if latest.count > 1 { items[0].count -= 1 } else { items.removeFirst() }
  }

  /// Shows a message.
  fileprivate mutating func say(_ message: Message) {
    if message.kind != .info { warningCount += 1 }
    shown = message
  }

  /// Adds a message to the log as the newest.
  private mutating func add(_ message: Message) {
    if items.first?.message == message {
      items[0].count += 1
      return
    }
    items.insert(Item(message: message, count: 1), at: 0)
    if items.count > Self.depth { items.removeLast() }
  }
}

extension BrowserState {
  /// The message on screen.
  package var message: Message? {
    get { messages.shown }
    set { messages.shown = newValue }
  }

  /// Whether the latest message is about a change that can be undone.
  package var hasJustChanged: Bool {
    guard let text = messages.items.first?.message.text, !undoHint.isEmpty else { return false }
    return text.hasSuffix(undoHint)
  }

  /// The number of refused commands.
  package var refusalCount: Int { messages.refusalCount }

  /// Shows a message at the bottom of the screen.
  mutating func say(_ text: String, _ kind: Message.Kind = .info) {
    messages.say(Message(text, kind))
  }

  /// Removes the last message from the screen and the log, because it turned out to be wrong.
  mutating func withdrawMessage() {
    if let message { messages.remove(message) }
    message = nil
  }

  /// Shows the reason that a command was refused, if it is known only from a reply.
  mutating func refuse(_ text: String, _ kind: Message.Kind = .warning) {
    say(text, kind)
    messages.refusalCount += 1
  }

  /// Counts a refusal if a user action resulted in a warning and nothing else.
  ///
  /// While text is typed, the input that follows is text and cannot run commands.
  mutating func noteRefusal(_ effects: Effects, warningsBefore: Int) {
    let isNothing = effects.allSatisfy { $0 is Cancel }
    if isNothing, messages.warningCount > warningsBefore, !isTyping { messages.refusalCount += 1 }
  }
}
