import Glibc
import TerminalUI

extension NcursesTerminal {
  /// The environment of the process.
  static var environment: [String: String] {
    var variables: [String: String] = [:]
    for name in [
      "TERM", "COLORTERM", "NO_COLOR", "TMUX", "TERMINFO", "TERMINFO_DIRS", "HOME",
    ] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
  }

  /// The most columns, and the most rows, that are drawn: ncurses counts in 16 bits, and no window
  /// has so many.
  private nonisolated static let maximum = 1_000

  /// The size that the system knows of a terminal, as far as it is drawn; nil if it knows none.
  nonisolated static func systemSize(_ descriptor: Int32) -> Size? {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return nil }
    return Size(
      width: min(Int(window.ws_col), maximum), height: min(Int(window.ws_row), maximum))
  }

  /// Stops a process in the background of a shell, as the system does with one that reads keys, until
  /// the shell brings it to the foreground: it would draw over the shell.
  ///
  /// - Returns: Whether the process is in the foreground, or no shell decides that.
  static func waitForForeground(_ terminal: Int32) -> Bool {
    func isBehind() -> Bool {
      let group = tcgetpgrp(terminal)
      return group > 0 && group != getpgrp()
    }
    guard isBehind() else { return true }
    kill(0, SIGTTOU)
    // Another thread may take the signal, and this one then runs on for a moment before all are stopped.
    for _ in 0..<100 where isBehind() { usleep(10_000) }
    return !isBehind()
  }

  /// Makes the C library take text as UTF-8, whatever the environment says: this program writes
  /// nothing else, and terminals of today read nothing else.
  static func chooseLocale() {
    if setlocale(LC_CTYPE, "") != nil, let codeset = nl_langinfo(Int32(CODESET)),
      String(cString: codeset) == "UTF-8"
    {
      return
    }
    _ = setlocale(LC_CTYPE, "C.UTF-8")
  }
}
