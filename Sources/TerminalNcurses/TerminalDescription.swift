import CNcurses
import Glibc
import TerminalUI

/// What terminfo and the environment say about a terminal.
struct TerminalDescription {
  /// The name to give ncurses.
  let name: String
  /// How many colours to use.
  let colorDepth: ColorDepth
  /// Whether colours are given by their amounts of red, green and blue.
  let isDirectColor: Bool
  /// Whether it takes the control sequences of ECMA-48, as nearly all do.
  let takesControlSequences: Bool
  /// Whether it takes xterm's sequences for titles and the clipboard.
  let takesOperatingSystemCommands: Bool
  /// Whether terminfo says that it shows a frame at once when asked to.
  let takesFrames: Bool
  /// Whether it is the console of Linux: see ``LinuxConsole``.
  let isLinuxConsole: Bool
  /// What puts it back into its normal state.
  let leaveSequence: String

  /// Asks about the terminal that the environment names.
  ///
  /// - Throws: ``TerminalError`` if it cannot show a screen.
  init(environment: [String: String], output: Int32) throws(TerminalError) {
    let term = environment["TERM"] ?? ""
    guard !term.isEmpty else {
      throw TerminalError(
        code: .unsuitableTerminal,
        message: "TERM is not set, so it is unknown what the terminal can do; "
          + "set it, for example to xterm-256color")
    }
    switch cn_setupterm(term, output) {
    case 1: break
    case -1:
      throw TerminalError(
        code: .unsuitableTerminal, message: "the terminfo database is missing; install ncurses-base"
      )
    default:
      throw TerminalError(
        code: .unsuitableTerminal,
        message: "nothing is known about the terminal \"\(Sanitizer.display(term))\"; "
          + "set TERM to a name that `infocmp` knows, for example xterm-256color")
    }
    guard let cursor = Self.string("cup"), Self.string("clear") != nil else {
      throw TerminalError(
        code: .unsuitableTerminal,
        message: "the terminal \"\(Sanitizer.display(term))\" cannot show a screen; "
          + "set TERM to what your terminal is, for example xterm-256color")
    }
    let normalDepth = Self.depth(colors: tigetnum("colors"), environment: environment)
    let direct = Self.directName(term, environment: environment, output: output)
    if direct == nil { _ = cn_setupterm(term, output) }
    isDirectColor = direct != nil && normalDepth != .monochrome
    name = isDirectColor ? direct ?? term : term
    colorDepth = isDirectColor ? .trueColor : normalDepth
    takesControlSequences = cursor.hasPrefix("\u{1b}[")
    takesOperatingSystemCommands =
      Self.string("tsl")?.hasPrefix("\u{1b}]") == true
      || Self.windowedTerminals.contains { term.hasPrefix($0) }
    takesFrames = takesControlSequences && Self.string("Sync")?.contains("?2026") == true
    isLinuxConsole = LinuxConsole.isNamed(term)
    var leave = ""
    if takesControlSequences { leave += ControlSequence.inputOff + ControlSequence.endFrame }
    for capability in ["rmkx", "sgr0", "op", "rmcup", "cnorm"] {
      leave += Self.string(capability) ?? ""
    }
    if takesOperatingSystemCommands {
      leave += ControlSequence.endLink + ControlSequence.restoreTitle
    }
    leaveSequence = leave
  }

  /// Names of terminals with a window that has a title.
  private static let windowedTerminals = [
    "xterm", "tmux", "screen", "rxvt", "alacritty", "foot", "kitty", "wezterm", "konsole",
    "gnome", "vte", "st-", "ghostty", "mintty", "iterm", "contour",
  ]

  /// How many colours to use, given how many terminfo promises.
  static func depth(colors: Int32, environment: [String: String]) -> ColorDepth {
    if environment["NO_COLOR"]?.isEmpty == false { return .monochrome }
    switch colors {
    case ..<8: return .monochrome
    case ..<16: return .ansi8
    case ..<256: return .ansi16
    default: return .indexed256
    }
  }

  /// The entry of terminfo for the same terminal with colours given by their amounts, if the
  /// terminal says that it understands that and the entry is installed.
  ///
  /// Redefining entries of the colour table instead would change the person's own palette.
  private static func directName(
    _ term: String, environment: [String: String], output: Int32
  ) -> String? {
    if tigetflag("RGB") > 0 { return term }
    guard ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") else { return nil }
    let base = term.hasSuffix("-256color") ? String(term.dropLast(9)) : term
    let name = "\(base)-direct"
    guard cn_setupterm(name, output) == 1, tigetflag("RGB") > 0 else { return nil }
    return name
  }

  /// A capability that is text, without the delays that terminfo writes into it.
  private static func string(_ capability: String) -> String? {
    guard let pointer = tigetstr(capability), Int(bitPattern: pointer) != -1 else { return nil }
    var text = String(cString: pointer)
    while let start = text.firstRange(of: "$<"),
      let end = text[start.upperBound...].firstIndex(of: ">")
    {
      text.removeSubrange(start.lowerBound...end)
    }
    return text
  }
}
