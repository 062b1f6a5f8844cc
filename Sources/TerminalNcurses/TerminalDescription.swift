import CNcurses
import Glibc
import TerminalUI

/// The capabilities of a terminal according to terminfo and the environment.
struct TerminalDescription {
  /// The terminal name for ncurses.
  let name: String
  /// The terminfo entry for ncurses; nil to use the one in the database.
  let entry: [UInt8]?
  /// The range of colors to use.
  let colorDepth: ColorDepth
  /// The numbering of colors.
  let numbering: ColorNumbering
  /// Whether it supports ECMA-48 control sequences, as nearly all terminals do.
  let takesControlSequences: Bool
  /// Whether it supports xterm's sequences for titles and the clipboard.
  let takesOperatingSystemCommands: Bool
  /// Whether terminfo reports support for synchronized output.
  let takesFrames: Bool
  /// Whether terminfo has a default size.
  let hasSize: Bool
  /// Whether it is the Linux console: see ``LinuxConsole``.
  let isLinuxConsole: Bool
  /// The sequence that restores its normal state.
  let leaveSequence: String

  /// Describes the terminal that the environment names.
  ///
  /// - Throws: ``TerminalError`` if it cannot show a screen.
  init(environment: [String: String], output: Int32) throws(TerminalError) {
    let term = environment["TERM"] ?? ""
    guard !term.isEmpty else { throw .noTerm }
    // Otherwise ncurses overwrites terminfo's size with that of the window.
    use_env(false)
    switch cn_setupterm(term, output) {
    case 1: break
    case -1: throw .noTerminfo
    default: throw .unknownTerm(term)
    }
    guard let cursor = Self.string("cup"), Self.string("clear") != nil else {
      throw .unsuitableTerm(term)
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

  /// The name prefixes of terminals in a window with a title.
  private static let windowedTerminals = [
    "xterm", "tmux", "screen", "rxvt", "alacritty", "foot", "kitty", "wezterm", "konsole",
    "gnome", "vte", "st-", "ghostty", "mintty", "iterm", "contour",
  ]

  /// Returns the color depth for the number of colors in terminfo.
  static func depth(colors: Int32, environment: [String: String]) -> ColorDepth {
    if environment["NO_COLOR"]?.isEmpty == false { return .monochrome }
    switch colors {
    case ..<8: return .monochrome
    case ..<16: return .ansi8
    case ..<256: return .ansi16
    default: return .indexed256
    }
  }

  /// Whether the environment indicates 24-bit colors.
  ///
  /// GNU screen does not support them but passes on `COLORTERM` from the surrounding terminal;
  /// tmux, which may use the same name, does support them.
  private static func saysTrueColor(_ term: String, _ environment: [String: String]) -> Bool {
    guard ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") else { return false }
    return !term.hasPrefix("screen") || environment["TMUX"]?.isEmpty == false
  }

  /// Returns a string capability without its terminfo delays.
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
