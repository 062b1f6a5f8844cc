import CNcurses
import Glibc
import TerminalUI

extension NcursesTerminal {
  /// The window that covers the screen.
  var window: UnsafeMutablePointer<WINDOW>? {
    guard let screen else { return nil }
    set_term(screen)
    return cn_stdscr()
  }

  /// Begins or continues curses mode and says whether that worked.
  func enter() -> Bool {
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
  func leave() {
    guard screen != nil, window != nil else { return }
    if description.takesControlSequences { write(ControlSequence.inputOff) }
    endwin()
    if description.takesOperatingSystemCommands { write(ControlSequence.restoreTitle) }
    // An answer that is still on its way must not end up in the shell as if it were typed.
    if parser.isAwaitingBackground || parser.isAwaitingFrames { tcflush(input, TCIFLUSH) }
    TerminalGuard.end()
    TerminalGuard.releaseStandardError()
  }

  /// Makes ncurses' screen, with every key and control character coming through.
  private func makeScreen() -> Bool {
    guard let toTerminal = fdopen(fcntl(output, F_DUPFD_CLOEXEC, 0), "w") else { return false }
    guard let fromTerminal = fdopen(fcntl(input, F_DUPFD_CLOEXEC, 0), "r") else { return false }
    // The size is told with ``updateSize()``: ncurses itself takes any that the system knows. Where
    // terminfo has none, as for the console of Linux, it needs the system's to begin with.
    use_env(!description.hasSize)
    let made = TerminfoDatabase.with(description.entry) {
      newterm(description.name, toTerminal, fromTerminal)
    }
    guard let made else { return false }
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
        depth: description.colorDepth, numbering: description.numbering,
        isLinuxConsole: description.isLinuxConsole),
      hasLinks: description.takesOperatingSystemCommands,
      isLinuxConsole: description.isLinuxConsole)
    return true
  }

  /// Asks the system for the size and tells ncurses.
  func updateSize() {
    size = fixedSize ?? Self.systemSize(output) ?? size
    if let window, getmaxx(window) != size.width || getmaxy(window) != size.height {
      resizeterm(Int32(clamping: max(1, size.height)), Int32(clamping: max(1, size.width)))
      painter?.forget()
      clearok(window, true)
    }
  }

  /// Writes to the terminal itself, after all that ncurses has written.
  func write(_ sequence: String) {
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
