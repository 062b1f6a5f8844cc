import TerminalUI

// The sentences of this target that users can see.

extension TerminalError {
  static let inBackground = TerminalError(
    code: .notATerminal,
    message: "larder runs in the background, where it cannot use the terminal; bring it to the "
      + "foreground with fg")
  static let noTerm = TerminalError(
    code: .unsuitableTerminal,
    message: "TERM is not set; set it to the type of your terminal, such as xterm-256color")
  static let noTerminfo = TerminalError(
    code: .unsuitableTerminal, message: "the terminfo database is missing; install ncurses-base")

  static func notTerminal(_ stream: String) -> TerminalError {
    TerminalError(
      code: .notATerminal,
      message:
        "\(stream) is not a terminal; run larder in a terminal, or use one of its commands for "
        + "scripts")
  }

  static func unknownTerm(_ term: String) -> TerminalError {
    TerminalError(
      code: .unsuitableTerminal,
      message: "the terminal type “\(Sanitizer.display(term))” is unknown; set TERM to one that "
        + "infocmp lists, such as xterm-256color")
  }

  static func unsuitableTerm(_ term: String) -> TerminalError {
    TerminalError(
      code: .unsuitableTerminal,
      message:
        "a terminal of the type “\(Sanitizer.display(term))” cannot show a screen; set TERM to "
        + "the type of your terminal, such as xterm-256color")
  }
}
