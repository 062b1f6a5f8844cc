/// What was said so far, so that it can be read when it has left the screen.
package struct MessageLog: Sendable, Equatable {
  /// A message and how often it was said without another in between.
  package struct Item: Sendable, Equatable {
    package var message: Message
    package var count: Int
  }

  /// The messages, the latest first.
  package private(set) var items: [Item] = []
  /// What is shown of them: what was said last, until something else is done.
  package var shown: Message? {
    didSet { if let shown, shown != oldValue { add(shown) } }
  }
  /// How often a warning or an error was said.
  private(set) var warningCount = 0
  /// How often a command was refused: what was typed ahead of that was meant for what it would have
  /// done.
  fileprivate(set) var refusalCount = 0

  /// The maximum number of messages that are kept.
  static let depth = 300

  package init() {}

  /// Takes the latest message out again.
  fileprivate mutating func remove(_ message: Message) {
    guard let latest = items.first, latest.message == message else { return }
    if latest.count > 1 { items[0].count -= 1 } else { items.removeFirst() }
  }

  /// Says something in the last lines of the screen.
  fileprivate mutating func say(_ message: Message) {
    if message.kind != .info { warningCount += 1 }
    shown = message
  }

  /// Keeps a message as the latest.
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
  /// What is said in the last lines of the screen.
  package var message: Message? {
    get { messages.shown }
    set { messages.shown = newValue }
  }

  /// Whether the latest message is about a change that can be undone.
  package var hasJustChanged: Bool {
    guard let text = messages.items.first?.message.text, !undoHint.isEmpty else { return false }
    return text.hasSuffix(undoHint)
  }

  /// How often a command was refused.
  package var refusalCount: Int { messages.refusalCount }

  /// Says something in the last lines of the screen.
  mutating func say(_ text: String, _ kind: Message.Kind = .info) {
    messages.say(Message(text, kind))
  }

  /// Takes back what was said last, as it was not so.
  mutating func withdrawMessage() {
    if let message { messages.remove(message) }
    message = nil
  }

  /// Says why what was asked for is not done, where that is known only from a reply.
  mutating func refuse(_ text: String, _ kind: Message.Kind = .warning) {
    say(text, kind)
    messages.refusalCount += 1
  }

  /// Takes note of a refusal where an action of the user's has led to a warning and to nothing else.
  ///
  /// Where text is typed, what follows is text and calls no command.
  mutating func noteRefusal(_ effects: Effects, warningsBefore: Int) {
    let isNothing = effects.allSatisfy { $0 is Cancel }
    if isNothing, messages.warningCount > warningsBefore, !isTyping { messages.refusalCount += 1 }
  }
}
