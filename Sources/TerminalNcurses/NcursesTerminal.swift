import CNcurses
import Dispatch
import Glibc
public import TerminalUI

/// A terminal driven by ncurses.
///
/// The terminal is restored after ``stop()``, on SIGINT, SIGTERM, SIGHUP and SIGQUIT, when the
/// process traps, and while it is stopped with Ctrl-Z. The first such signal becomes
/// ``TerminalEvent/closed(_:)``; the program then has five seconds to save and stop, and a second
/// signal ends it immediately.
///
/// If standard error is the terminal, its output is held back until the terminal is restored. Only
/// one instance of this class may be started at a time.
@MainActor public final class NcursesTerminal: Terminal {
  /// The current number of columns and rows.
  public internal(set) var size: Size
  /// The range of colors that it can show, according to terminfo, `COLORTERM` and `NO_COLOR`.
  public var colorDepth: ColorDepth { description.colorDepth }

  let description: TerminalDescription
  let input: Int32
  let output: Int32
  /// The fixed size, for tests on files; nil to use the system's.
  let fixedSize: Size?
  var screen: OpaquePointer?
  var painter: NcursesPainter?
  /// The digest of the text that was copied last.
  private var copied: Int?
  var title: String?
  /// The size that was last reported.
  var reportedSize = Size.zero
  var sources: [any DispatchSourceProtocol] = []
  var hangUpWatch: HangUpWatch?
  var isClosed = false
  var parser = InputParser()
  var decoder = InputDecoder()
  var receive: (@MainActor (TerminalEvent) -> Void)?

  /// Creates a terminal without changing its state yet.
  ///
  /// - Parameters:
  ///   - input: The descriptor that keys are read from; standard input by default.
  ///   - output: The descriptor that screens are written to; standard output by default.
  /// - Throws: ``TerminalError`` if either is not a terminal, the process is in the background, or
  ///   `TERM` names a terminal that cannot show a screen.
  public convenience init(
    input: Int32 = 0, output: Int32 = 1
  ) throws(TerminalError) {
    guard isatty(input) == 1, isatty(output) == 1 else {
      throw .notTerminal(isatty(output) == 1 ? "standard input" : "standard output")
    }
    guard Self.waitForForeground(output) else { throw .inBackground }
    try self.init(input: input, output: output, environment: Self.environment, fixedSize: nil)
  }

  /// Creates a terminal with a given environment; for tests, a file with a fixed size.
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

  /// Takes control of the terminal and starts reporting events on the main actor.
  ///
  /// If that fails, the only event is ``TerminalEvent/closed(_:)``.
  public func start(_ receive: @escaping @MainActor (TerminalEvent) -> Void) {
    guard self.receive == nil else { return }
    self.receive = receive
    isClosed = false
    guard enter() else {
      Task { @MainActor in self.close(.hangUp) }
      return
    }
    listen(to: input) { $0.readInput() }
    hangUpWatch = HangUpWatch(input) { [weak self] in
      Task { @MainActor in self?.close(.hangUp) }
    }
    reportedSize = size
    askForBackground()
    askForFrames()
    if let notices = TerminalGuard.notices { listen(to: notices) { $0.readNotices() } }
  }

  /// Queries the background color if the terminal has colors.
  private func askForBackground() {
    guard description.takesOperatingSystemCommands, colorDepth > .monochrome else { return }
    parser.isAwaitingBackground = true
    write(ControlSequence.askBackground)
  }

  /// Queries support for synchronized output, but only on terminals in a window, which are certain
  /// not to show the query as text.
  private func askForFrames() {
    guard description.takesOperatingSystemCommands, description.takesControlSequences,
      !takesFrames
    else { return }
    parser.isAwaitingFrames = true
    write(ControlSequence.askFrames)
  }

  /// Whether the terminal or terminfo reports support for synchronized output.
  private var takesFrames: Bool { description.takesFrames || parser.takesFrames }

  /// Shows a screen, clipped to the size of the terminal.
  public func present(_ screen: Screen) {
    guard receive != nil, let window, var painter else { return }
    let previous = painter.shown
    var drawing = painter.draw(screen, in: window)
    if previous?.cursor != screen.cursor || previous == nil {
      drawing.isOther = true
      curs_set(screen.cursor == nil ? 0 : 1)
    }
    if drawing.isOther {
      let cursor = screen.cursor ?? .origin
      // Outside the window the call fails, and the cursor stays in place.
      wmove(window, Int32(clamping: cursor.y), Int32(clamping: cursor.x))
      if takesFrames { write(ControlSequence.beginFrame) }
      wrefresh(window)
      for link in drawing.links {
        painter.draw(link, in: window)
        wmove(window, Int32(clamping: cursor.y), Int32(clamping: cursor.x))
        let sequence = ControlSequence.beginLink(link.address)
        if let sequence { write(sequence) }
        wrefresh(window)
        if sequence != nil { write(ControlSequence.endLink) }
      }
      if takesFrames { write(ControlSequence.endFrame) }
    }
    self.painter = painter
    if let title = screen.title, title != self.title {
      self.title = title
      if description.takesOperatingSystemCommands { write(ControlSequence.title(title)) }
    }
  }

  /// Restores the terminal; it can be started again.
  public func stop() {
    guard receive != nil else { return }
    receive = nil
    stopListening()
    leave()
  }

  /// Restores the terminal, stops the process and its group, and takes control of the terminal
  /// again when the shell continues them.
  public func suspend() {
    suspend(by: TerminalGuard.stopProcess)
  }

  /// Suspends with a replacement for stopping the process.
  func suspend(by stopProcess: () -> Void) {
    guard receive != nil, screen != nil else { return }
    let last = painter?.shown
    leave()
    stopProcess()
    guard enter() else { return }
    if let last { present(last) }
    // The window may have been resized; events are never sent during a call.
    TerminalGuard.notify(SIGWINCH)
  }

  /// Sends text to the clipboard with OSC 52, which works over SSH, and to a local clipboard
  /// program.
  ///
  /// tmux forwards OSC 52 only with `set-clipboard on`.
  @discardableResult public func copy(_ text: String) -> Bool {
    guard receive != nil else { return false }
    let isTaken = LocalClipboard.ofProcess?.take(text) ?? false
    let sequence =
      description.takesOperatingSystemCommands ? ControlSequence.copy(text) : nil
    guard isTaken || sequence != nil else { return false }
    copied = LocalClipboard.digest(of: Array(text.utf8))
    if let sequence { write(sequence) }
    return true
  }

  /// Clears the local clipboard if it still contains the text, and the terminal's, which cannot be
  /// queried, unless the local one is known to have changed.
  public func forgetCopy() {
    guard receive != nil, let digest = copied else { return }
    copied = nil
    if LocalClipboard.ofProcess?.forget(digest) == false { return }
    guard description.takesOperatingSystemCommands, let sequence = ControlSequence.copy("") else {
      return
    }
    write(sequence)
  }
}
