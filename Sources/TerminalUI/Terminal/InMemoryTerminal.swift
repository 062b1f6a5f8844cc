/// A terminal that records its screens and is driven by method calls, for tests and for rendering
/// without a terminal.
@MainActor public final class InMemoryTerminal: Terminal {
  /// The current number of columns and rows.
  public private(set) var size: Size
  /// The color depth that it reports.
  public let colorDepth: ColorDepth
  /// The last screen presented.
  public private(set) var screen: Screen?
  /// The number of screens presented.
  public private(set) var presentCount = 0
  /// The texts copied to the clipboard, in order.
  public private(set) var copies: [String] = []
  /// The number of times the program was suspended.
  public private(set) var suspendCount = 0
  /// Whether the terminal is started.
  public var isRunning: Bool { receive != nil }

  private var receive: (@MainActor (TerminalEvent) -> Void)?

  /// Creates a terminal of a size.
  public init(
    size: Size = Size(width: 80, height: 24), colorDepth: ColorDepth = .trueColor
  ) {
    self.size = size
    self.colorDepth = colorDepth
  }

  /// Starts passing on events.
  public func start(_ receive: @escaping @MainActor (TerminalEvent) -> Void) {
    self.receive = receive
  }

  /// Stores and counts the screen.
  public func present(_ screen: Screen) {
    guard isRunning else { return }
    self.screen = screen
    presentCount += 1
  }

  /// Stops passing on events; the last screen remains.
  public func stop() {
    receive = nil
  }

  /// Counts the call and returns immediately.
  public func suspend() {
    suspendCount += 1
  }

  /// Whether ``copy(_:)`` fails, as terminals reject long texts.
  public var refusesCopies = false

  /// Appends the text to ``copies``.
  @discardableResult public func copy(_ text: String) -> Bool {
    guard !refusesCopies else { return false }
    copies.append(text)
    return true
  }

  /// Appends an empty text to ``copies``.
  public func forgetCopy() {
    copies.append("")
  }

  /// Reports an event as if it came from the user or the system.
  public func send(_ event: TerminalEvent) {
    receive?(event)
  }

  /// Reports a key press.
  public func press(_ key: Key) {
    send(.key(key))
  }

  /// Reports several key presses in order.
  public func press(_ keys: [Key]) {
    for key in keys { press(key) }
  }

  /// Reports a key press for each character; a line end is Enter.
  public func type(_ text: String) {
    press(text.map { Key(.character($0)) })
  }

  /// Changes the size and reports it.
  public func resize(to size: Size) {
    self.size = size
    send(.resized(size))
  }
}
