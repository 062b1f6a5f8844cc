import CNcurses
import Dispatch
import Glibc
public import TerminalUI

/// A terminal driven by ncurses.
///
/// It is given back as it was after ``stop()``, on SIGINT, SIGTERM and SIGHUP, when the process
/// traps, and while it is stopped with Ctrl-Z. The first such signal becomes
/// ``TerminalEvent/closed(_:)``; the program then has five seconds to save and stop, and a second
/// signal ends it at once.
///
/// Standard error, if it is the terminal, is kept back until the terminal is given back. One
/// instance of this class may be started at a time.
@MainActor public final class NcursesTerminal: Terminal {
  /// The number of columns and rows now.
  public private(set) var size: Size
  /// How many colours it can show, by terminfo, `COLORTERM` and `NO_COLOR`.
  public var colorDepth: ColorDepth { description.colorDepth }

  let description: TerminalDescription
  let input: Int32
  let output: Int32
  /// A size that does not come from the system, for tests on files.
  private let fixedSize: Size?
  private var screen: OpaquePointer?
  private var painter: NcursesPainter?
  private var title: String?
  /// The size that the program knows of.
  private var reportedSize = Size.zero
  private var sources: [any DispatchSourceProtocol] = []
  private var parser = InputParser()
  private var receive: (@MainActor (TerminalEvent) -> Void)?

  /// Prepares a terminal and changes nothing about it yet.
  ///
  /// - Parameters:
  ///   - input: Where keys come from; standard input unless given.
  ///   - output: Where screens go to; standard output unless given.
  /// - Throws: ``TerminalError`` if either is no terminal, or `TERM` names none that can show a
  ///   screen.
  public convenience init(
    input: Int32 = 0, output: Int32 = 1
  ) throws(TerminalError) {
    guard isatty(input) == 1, isatty(output) == 1 else {
      throw TerminalError(
        code: .notATerminal,
        message: (isatty(output) == 1 ? "standard input" : "standard output")
          + " is not a terminal; run it in a terminal, or use one of the commands for scripts")
    }
    try self.init(input: input, output: output, environment: Self.environment, fixedSize: nil)
  }

  /// Prepares a terminal with a given environment, which may be a file of a given size.
  init(
    input: Int32, output: Int32, environment: [String: String], fixedSize: Size?
  ) throws(TerminalError) {
    Self.chooseLocale()
    description = try TerminalDescription(environment: environment, output: output)
    self.input = input
    self.output = output
    self.fixedSize = fixedSize
    size = fixedSize ?? Self.systemSize(output) ?? Size(width: 80, height: 24)
  }

  isolated deinit {
    stop()
    if let screen { delscreen(screen) }
  }

  /// Takes the terminal over and begins to report; events come on the main actor.
  ///
  /// If the system refuses that, the only event is ``TerminalEvent/closed(_:)``.
  public func start(_ receive: @escaping @MainActor (TerminalEvent) -> Void) {
    guard self.receive == nil else { return }
    self.receive = receive
    guard enter() else {
      Task { @MainActor in self.close(.hangUp) }
      return
    }
    listen(to: input) { $0.readInput() }
    reportedSize = size
    if let notices = TerminalGuard.notices { listen(to: notices) { $0.readNotices() } }
  }

  /// Shows a screen; what does not fit is cut off.
  public func present(_ screen: Screen) {
    guard receive != nil, let window, var painter else { return }
    let previous = painter.shown
    var changed = painter.draw(screen, in: window)
    self.painter = painter
    if previous?.cursor != screen.cursor || previous == nil {
      changed = true
      curs_set(screen.cursor == nil ? 0 : 1)
    }
    if changed {
      let cursor = screen.cursor ?? .origin
      // Outside the window the call fails, and the cursor stays where it was.
      wmove(window, Int32(clamping: cursor.y), Int32(clamping: cursor.x))
      wrefresh(window)
    }
    if let title = screen.title, title != self.title {
      self.title = title
      if description.takesOperatingSystemCommands { write(ControlSequence.title(title)) }
    }
  }

  /// Gives the terminal back as it was; it can be started again.
  public func stop() {
    guard receive != nil else { return }
    receive = nil
    for source in sources { source.cancel() }
    sources = []
    leave()
  }

  /// Gives the terminal back, stops the process and its group, and takes the terminal over again
  /// when the shell continues them.
  public func suspend() {
    suspend(by: TerminalGuard.stopProcess)
  }

  /// Suspends with something else in the place of stopping the process.
  func suspend(by stopProcess: () -> Void) {
    guard receive != nil, screen != nil else { return }
    let last = painter?.shown
    leave()
    stopProcess()
    guard enter() else { return }
    if let last { present(last) }
    // The window may have changed meanwhile; events never come from inside a call.
    TerminalGuard.notify(SIGWINCH)
  }

  /// Offers text to the clipboard with OSC 52, which works over SSH.
  ///
  /// tmux passes it on only with `set-clipboard on`.
  @discardableResult public func copy(_ text: String) -> Bool {
    guard receive != nil, description.takesControlSequences,
      let sequence = ControlSequence.copy(text)
    else { return false }
    write(sequence)
    return true
  }
}

// MARK: - Taking over and giving back

extension NcursesTerminal {
  /// The window that covers the screen.
  var window: UnsafeMutablePointer<WINDOW>? {
    guard let screen else { return nil }
    set_term(screen)
    return cn_stdscr()
  }

  /// Begins or continues curses mode and says whether that worked.
  private func enter() -> Bool {
    TerminalGuard.noteModes(of: output)
    let isFirst = screen == nil
    if isFirst {
      guard makeScreen() else { return false }
    }
    guard let window else { return false }
    TerminalGuard.begin(leave: description.leaveSequence)
    title = nil
    updateSize()
    painter?.forget()
    clearok(window, true)
    // Writes the sequences that begin curses mode, before ours.
    wrefresh(window)
    if description.takesControlSequences { write(ControlSequence.inputOn) }
    if description.takesOperatingSystemCommands { write(ControlSequence.saveTitle) }
    return true
  }

  /// Ends curses mode.
  private func leave() {
    guard screen != nil, window != nil else { return }
    if description.takesControlSequences { write(ControlSequence.inputOff) }
    endwin()
    if description.takesOperatingSystemCommands { write(ControlSequence.restoreTitle) }
    TerminalGuard.end()
    TerminalGuard.releaseStandardError()
  }

  /// Makes ncurses' screen, with every key and control character coming through.
  private func makeScreen() -> Bool {
    guard let toTerminal = fdopen(dup(output), "w") else { return false }
    guard let fromTerminal = fdopen(dup(input), "r") else { return false }
    guard let made = newterm(description.name, toTerminal, fromTerminal) else { return false }
    screen = made
    guard let window else { return false }
    raw()
    noecho()
    nonl()
    keypad(window, true)
    nodelay(window, true)
    intrflush(window, false)
    set_escdelay(25)
    // Without this, ncurses leaves a screen half drawn when keys are waiting.
    typeahead(-1)
    painter = NcursesPainter(
      styles: NcursesStyles(
        depth: description.colorDepth, isDirectColor: description.isDirectColor))
    return true
  }

  /// Asks the system for the size and tells ncurses.
  private func updateSize() {
    size = fixedSize ?? Self.systemSize(output) ?? size
    if let window, getmaxx(window) != size.width || getmaxy(window) != size.height {
      resizeterm(Int32(clamping: max(1, size.height)), Int32(clamping: max(1, size.width)))
      painter?.forget()
      clearok(window, true)
    }
  }

  /// Writes to the terminal itself, after all that ncurses has written.
  private func write(_ sequence: String) {
    var bytes = Array(sequence.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes = bytes.dropFirst(count)
      } else if count < 0, errno == EAGAIN {
        var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        guard poll(&descriptor, 1, 1000) > 0 else { return }
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }
}

// MARK: - Reading

extension NcursesTerminal {
  /// Calls a function on the main actor whenever a descriptor has something to read.
  private func listen(
    to descriptor: Int32, _ read: @escaping @MainActor (NcursesTerminal) -> Void
  ) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated {
        TerminalGuard.coverThread()
        guard let self else { return }
        read(self)
      }
    }
    sources.append(source)
    source.activate()
  }

  /// Reads what there is and reports it.
  func readInput() {
    guard receive != nil, let window else { return }
    var tokens: [InputToken] = []
    var hasRead = false
    var character = wint_t()
    while true {
      let result = wget_wch(window, &character)
      if result == ERR { break }
      hasRead = true
      if result == KEY_CODE_YES {
        if let token = NcursesKeys.token(Int32(bitPattern: character)) { tokens.append(token) }
      } else if let scalar = Unicode.Scalar(character) {
        tokens.append(.scalar(scalar))
      }
    }
    for event in parser.parse(tokens) { receive?(event) }
    if !hasRead, isInputClosed { close(.hangUp) }
  }

  /// Whether there is nothing to read and never will be.
  private var isInputClosed: Bool {
    var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, 0) > 0 else { return false }
    var waiting: Int32 = 0
    guard ioctl(input, UInt(FIONREAD), &waiting) == 0 else { return true }
    return waiting == 0
  }

  /// Sees to the signals that have come.
  private func readNotices() {
    for signal in TerminalGuard.takeNotices() {
      guard receive != nil else { return }
      switch signal {
      case SIGWINCH:
        updateSize()
        guard size != reportedSize else { continue }
        reportedSize = size
        receive?(.resized(size))
      case SIGTSTP:
        suspend()
      case SIGCONT:
        reassert()
      default:
        close(signal == SIGHUP ? .hangUp : .signal(signal))
      }
    }
  }

  /// Takes the terminal over again after something stopped the process without asking, and the
  /// shell used the terminal meanwhile.
  private func reassert() {
    guard let last = painter?.shown, window != nil else { return }
    endwin()
    painter?.forget()
    if description.takesControlSequences { write(ControlSequence.inputOn) }
    present(last)
    TerminalGuard.notify(SIGWINCH)
  }

  /// Reports the end and listens no more.
  private func close(_ reason: TerminalEvent.CloseReason) {
    guard let receive else { return }
    for source in sources { source.cancel() }
    sources = []
    receive(.closed(reason))
  }
}

// MARK: - The system

extension NcursesTerminal {
  /// The environment of the process.
  private static var environment: [String: String] {
    var variables: [String: String] = [:]
    for name in ["TERM", "COLORTERM", "NO_COLOR"] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
  }

  /// The size that the system knows of a terminal; nil if it knows none.
  private static func systemSize(_ descriptor: Int32) -> Size? {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return nil }
    return Size(width: Int(window.ws_col), height: Int(window.ws_row))
  }

  /// Makes the C library take text as UTF-8, whatever the environment says: this program writes
  /// nothing else, and terminals of today read nothing else.
  private static func chooseLocale() {
    if setlocale(LC_CTYPE, "") != nil, let codeset = nl_langinfo(Int32(CODESET)),
      String(cString: codeset) == "UTF-8"
    {
      return
    }
    _ = setlocale(LC_CTYPE, "C.UTF-8")
  }
}
