import Glibc
import TerminalUI

extension NcursesTerminal {
  /// The relevant environment variables of the process.
  static var environment: [String: String] {
    var variables: [String: String] = [:]
    for name in [
      "TERM", "COLORTERM", "NO_COLOR", "TMUX", "TERMINFO", "TERMINFO_DIRS", "HOME",
    ] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
  }

  /// The maximum number of columns and rows that are drawn; ncurses uses 16-bit integers.
  private nonisolated static let maximum = 1_000

  /// Returns the size that the system reports for a terminal, up to the maximum; nil if it is
  /// unknown.
  nonisolated static func systemSize(_ descriptor: Int32) -> Size? {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return nil }
    return Size(
      width: min(Int(window.ws_col), maximum), height: min(Int(window.ws_row), maximum))
  }

  /// Stops a background process until the shell brings it to the foreground, as the system does
  /// when such a process reads from the terminal, so that it does not draw over the shell.
  ///
  /// - Returns: Whether the process is in the foreground, or there is no job control.
  static func waitForForeground(_ terminal: Int32) -> Bool {
    func isBehind() -> Bool {
      let group = tcgetpgrp(terminal)
      return group > 0 && group != getpgrp()
    }
    guard isBehind() else { return true }
    kill(0, SIGTTOU)
    // Another thread may handle the signal, so this one may run briefly before all are stopped.
    for _ in 0..<100 where isBehind() { usleep(10_000) }
    return !isBehind()
  }

  /// Makes the C library use UTF-8 regardless of the environment: larder writes nothing else, and
  /// current terminals expect it.
  static func chooseLocale() {
    if setlocale(LC_CTYPE, "") != nil, let codeset = nl_langinfo(Int32(CODESET)),
      String(cString: codeset) == "UTF-8"
    {
      return
    }
    _ = setlocale(LC_CTYPE, "C.UTF-8")
  }
}
