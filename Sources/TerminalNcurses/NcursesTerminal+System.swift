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

  /// The size that the system knows of a terminal; nil if it knows none.
  static func systemSize(_ descriptor: Int32) -> Size? {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else { return nil }
    return Size(width: Int(window.ws_col), height: Int(window.ws_row))
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
