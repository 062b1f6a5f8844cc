import CNcurses
import Dispatch
import Glibc
public import TerminalUI

/// A terminal driven by ncurses.
///
/// It is given back as it was after ``stop()``, on SIGINT, SIGTERM, SIGHUP and SIGQUIT, when the
/// process traps, and while it is stopped with Ctrl-Z. The first such signal becomes
/// ``TerminalEvent/closed(_:)``; the program then has five seconds to save and stop, and a second
/// signal ends it at once.
///
/// Standard error, if it is the terminal, is kept back until the terminal is given back. One
/// instance of this class may be started at a time.
@MainActor public final class NcursesTerminal: Terminal {
  /// The number of columns and rows now.
  public internal(set) var size: Size
  /// How many colours it can show, by terminfo, `COLORTERM` and `NO_COLOR`.
  public var colorDepth: ColorDepth { description.colorDepth }

  let description: TerminalDescription
  let input: Int32
  let output: Int32
  /// A size that does not come from the system, for tests on files.
  let fixedSize: Size?
  var screen: OpaquePointer?
  var painter: NcursesPainter?
  /// What tells the text that was copied last.
  private var copied: Int?
  var title: String?
  /// The size that the program knows of.
  var reportedSize = Size.zero
  var sources: [any DispatchSourceProtocol] = []
  var hangUpWatch: HangUpWatch?
  var isClosed = false
  var parser = InputParser()
  var decoder = InputDecoder()
  var receive: (@MainActor (TerminalEvent) -> Void)?

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
    guard Self.waitForForeground(output) else {
      throw TerminalError(
        code: .notATerminal,
        message: "larder was started in the background, where it cannot use the terminal; bring it "
          + "to the foreground with fg")
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

  /// Asks what the background is, where there are colours to suit it.
  private func askForBackground() {
    guard description.takesOperatingSystemCommands, colorDepth > .monochrome else { return }
    parser.isAwaitingBackground = true
    write(ControlSequence.askBackground)
  }

  /// Asks whether frames can be shown at once, where a terminal with a window is sure not to take
  /// the question for text.
  private func askForFrames() {
    guard description.takesOperatingSystemCommands, description.takesControlSequences,
      !takesFrames
    else { return }
    parser.isAwaitingFrames = true
    write(ControlSequence.askFrames)
  }

  /// Whether the terminal, or terminfo, says that it shows a frame at once when asked to.
  private var takesFrames: Bool { description.takesFrames || parser.takesFrames }

  /// Shows a screen; what does not fit is cut off.
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
      // Outside the window the call fails, and the cursor stays where it was.
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

  /// Gives the terminal back as it was; it can be started again.
  public func stop() {
    guard receive != nil else { return }
    receive = nil
    stopListening()
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

  /// Offers text to the clipboard with OSC 52, which works over SSH, and to a program of this
  /// machine that takes text for it.
  ///
  /// tmux passes on the first only with `set-clipboard on`.
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

  /// Empties the clipboard: that of the terminal, which does not say what is in it, unless a program
  /// of this machine says that it is something else by now.
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
