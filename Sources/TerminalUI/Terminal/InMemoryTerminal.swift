/// A terminal that keeps what it is shown and is used by calling it, for tests and for printing
/// screens without a terminal.
@MainActor public final class InMemoryTerminal: Terminal {
  /// The number of columns and rows now.
  public private(set) var size: Size
  /// How many colours it pretends to show.
  public let colorDepth: ColorDepth
  /// The last screen it was shown.
  public private(set) var screen: Screen?
  /// How often it was shown a screen.
  public private(set) var presentCount = 0
  /// What was copied to the clipboard, in order.
  public private(set) var copies: [String] = []
  /// How often the program was suspended.
  public private(set) var suspendCount = 0
  /// Whether it is started.
  public var isRunning: Bool { receive != nil }

  private var receive: (@MainActor (TerminalEvent) -> Void)?

  /// Makes a terminal of a size.
  public init(
    size: Size = Size(width: 80, height: 24), colorDepth: ColorDepth = .trueColor
  ) {
    self.size = size
    self.colorDepth = colorDepth
  }

  /// Begins to pass on events.
  public func start(_ receive: @escaping @MainActor (TerminalEvent) -> Void) {
    self.receive = receive
  }

  /// Keeps the screen and counts it.
  public func present(_ screen: Screen) {
    guard isRunning else { return }
    self.screen = screen
    presentCount += 1
  }

  /// Passes on no more events; the last screen stays.
  public func stop() {
    receive = nil
  }

  /// Counts, and returns at once.
  public func suspend() {
    suspendCount += 1
  }

  /// Whether texts are refused that are to be copied, as a terminal refuses long ones.
  public var refusesCopies = false

  /// Keeps the text in ``copies``.
  @discardableResult public func copy(_ text: String) -> Bool {
    guard !refusesCopies else { return false }
    copies.append(text)
    return true
  }

  /// Adds an empty text to ``copies``.
  public func forgetCopy() {
    copies.append("")
  }

  /// Reports an event, as if it came from the user or the system.
  public func send(_ event: TerminalEvent) {
    receive?(event)
  }

  /// Presses a key.
  public func press(_ key: Key) {
    send(.key(key))
  }

  /// Presses several keys, one after the other.
  public func press(_ keys: [Key]) {
    for key in keys { press(key) }
  }

  /// Presses the key of each character; a line end is Enter.
  public func type(_ text: String) {
    press(text.map { Key(.character($0)) })
  }

  /// Changes the size and reports it.
  public func resize(to size: Size) {
    self.size = size
    send(.resized(size))
  }
}
