import CNcurses
import Glibc
import TerminalUI

extension NcursesTerminal {
  /// The window that covers the whole screen.
  var window: UnsafeMutablePointer<WINDOW>? {
    guard let screen else { return nil }
    set_term(screen)
    return cn_stdscr()
  }

  /// Enters or re-enters curses mode and returns whether it succeeded.
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
    // Makes ncurses send its own initialization sequences before the ones below.
    wrefresh(window)
    if description.takesControlSequences { write(ControlSequence.inputOn) }
    if description.takesOperatingSystemCommands { write(ControlSequence.saveTitle) }
    return true
  }

  /// Leaves curses mode.
  func leave() {
    guard screen != nil, window != nil else { return }
    if description.takesControlSequences { write(ControlSequence.inputOff) }
    endwin()
    if description.takesOperatingSystemCommands { write(ControlSequence.restoreTitle) }
    // An answer that arrives late must not end up as input to the shell.
    if parser.isAwaitingBackground || parser.isAwaitingFrames { tcflush(input, TCIFLUSH) }
    TerminalGuard.end()
    TerminalGuard.releaseStandardError()
  }

  /// Creates ncurses' screen, with all keys and control characters passed through.
  private func makeScreen() -> Bool {
    guard let toTerminal = fdopen(fcntl(output, F_DUPFD_CLOEXEC, 0), "w") else { return false }
    guard let fromTerminal = fdopen(fcntl(input, F_DUPFD_CLOEXEC, 0), "r") else { return false }
    // ``updateSize()`` sets the size, as ncurses would accept any size that the system reports.
    // Where terminfo has no size, as for the Linux console, ncurses needs the system's to start
    // with.
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
    // Otherwise ncurses interrupts drawing while keys are waiting.
    typeahead(-1)
    painter = NcursesPainter(
      styles: NcursesStyles(
        depth: description.colorDepth, numbering: description.numbering,
        isLinuxConsole: description.isLinuxConsole),
      hasLinks: description.takesOperatingSystemCommands,
      isLinuxConsole: description.isLinuxConsole)
    return true
  }

  /// Updates the size from the system and passes it on to ncurses.
  func updateSize() {
    size = fixedSize ?? Self.systemSize(output) ?? size
    if let window, getmaxx(window) != size.width || getmaxy(window) != size.height {
      resizeterm(Int32(clamping: max(1, size.height)), Int32(clamping: max(1, size.width)))
      painter?.forget()
      clearok(window, true)
    }
  }

  /// Writes to the terminal directly, after any output of ncurses.
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
