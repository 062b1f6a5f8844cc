import CNcurses
import Glibc
import TerminalUI

/// What terminfo and the environment say about a terminal.
struct TerminalDescription {
  /// The name to give ncurses.
  let name: String
  /// The entry to give ncurses in the place of the one in the database; nil where that is good.
  let entry: [UInt8]?
  /// How many colours to use.
  let colorDepth: ColorDepth
  /// How colours are numbered.
  let numbering: ColorNumbering
  /// Whether it takes the control sequences of ECMA-48, as nearly all do.
  let takesControlSequences: Bool
  /// Whether it takes xterm's sequences for titles and the clipboard.
  let takesOperatingSystemCommands: Bool
  /// Whether terminfo says that it shows a frame at once when asked to.
  let takesFrames: Bool
  /// Whether terminfo knows a usual size.
  let hasSize: Bool
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
    // Otherwise ncurses writes the size of the window over what terminfo says of it.
    use_env(false)
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
    takesControlSequences = cursor.hasPrefix("\u{1b}[")
    name = term
    let isDirect = tigetflag("RGB") > 0
    let mayBeDirect = isDirect || Self.saysTrueColor(term, environment)
    entry =
      normalDepth > .monochrome && takesControlSequences && mayBeDirect
      ? TerminfoDatabase.entry(named: term, variables: environment)?.withDirectColors.bytes : nil
    numbering = entry != nil ? .tableAndAmounts : isDirect ? .amounts : .table
    colorDepth = normalDepth == .monochrome || numbering == .table ? normalDepth : .trueColor
    takesOperatingSystemCommands =
      Self.string("tsl")?.hasPrefix("\u{1b}]") == true
      || Self.windowedTerminals.contains { term.hasPrefix($0) }
    takesFrames = takesControlSequences && Self.string("Sync")?.contains("?2026") == true
    hasSize = tigetnum("lines") > 0 && tigetnum("cols") > 0
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

  /// Whether the environment says that the terminal takes any amounts of red, green and blue.
  ///
  /// GNU screen takes none, but passes on what the terminal around it says of itself; tmux, which may
  /// have the same name, does.
  private static func saysTrueColor(_ term: String, _ environment: [String: String]) -> Bool {
    guard ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") else { return false }
    return !term.hasPrefix("screen") || environment["TMUX"]?.isEmpty == false
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
