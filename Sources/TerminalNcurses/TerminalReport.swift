import CNcurses
import Glibc
package import TerminalUI

/// The capabilities of a terminal according to terminfo, the environment and the terminal itself.
package struct TerminalReport: Sendable {
  /// The value of `TERM`.
  package let name: String
  /// The range of colors that is used.
  package let colorDepth: ColorDepth
  /// The size in columns and rows; nil if it is unknown.
  package let size: Size?
  /// Whether mouse input is enabled.
  package let takesMouse: Bool
  /// Whether the terminal is assumed to support setting the clipboard (OSC 52).
  package let takesClipboard: Bool
  /// The local program that is also used for the clipboard; nil if there is none.
  package let clipboardProgram: String?
  /// Whether the terminal reports support for synchronized output; nil if it did not answer.
  package let takesFrames: Bool?
  /// Whether the terminal answered at all.
  package let answers: Bool

  /// Queries terminfo and the terminal, which has half a second to answer.
  ///
  /// - Parameters:
  ///   - environment: The environment, which names the terminal.
  ///   - input: The descriptor to read answers from; nothing is queried if it is not a terminal.
  ///   - output: The terminal.
  /// - Throws: ``TerminalError`` if the terminal cannot show a screen.
  package init(
    environment: [String: String], input: Int32, output: Int32
  ) throws(TerminalError) {
    let description = try TerminalDescription(environment: environment, output: output)
    name = environment["TERM"] ?? ""
    colorDepth = description.colorDepth
    size = NcursesTerminal.systemSize(output)
    takesMouse = description.takesControlSequences
    takesClipboard = description.takesOperatingSystemCommands
    clipboardProgram = LocalClipboard.ofProcess?.words.first
    let answer =
      description.takesControlSequences
      ? Self.ask(ControlSequence.askFrames + Self.askAttributes, input, output) : ""
    answers = answer.contains("\u{1b}[?")
    let states = answer.components(betweenMarks: "\u{1b}[")
      .compactMap { XtermSequences.state(ofMode: 2026, $0) }
    takesFrames =
      answers ? states.contains { (1...2).contains($0) } || description.takesFrames : nil
  }

  /// Queries the device attributes: all terminals answer this, and it marks the end of the answers.
  private static let askAttributes = "\u{1b}[c"
  private static let patience: Int32 = 500

  /// Returns the terminal's answers, up to its device attributes.
  private static func ask(_ question: String, _ input: Int32, _ output: Int32) -> String {
    var before = termios()
    guard isatty(input) == 1, tcgetattr(input, &before) == 0 else { return "" }
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    guard tcsetattr(input, TCSANOW, &raw) == 0 else { return "" }
    defer { tcsetattr(input, TCSAFLUSH, &before) }
    let bytes = Array(question.utf8)
    guard write(output, bytes, bytes.count) == bytes.count else { return "" }
    var answer: [UInt8] = []
    while answer.last != UInt8(ascii: "c"), answer.count < 4_096 {
      var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, patience) > 0 else { break }
      var byte: UInt8 = 0
      guard read(input, &byte, 1) == 1 else { break }
      answer.append(byte)
    }
    return String(decoding: answer, as: UTF8.self)
  }
}

extension String {
  /// Returns the text after each mark, up to the letter that ends a control sequence.
  fileprivate func components(betweenMarks mark: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: mark) {
      rest = rest[range.upperBound...]
      parts.append(String(rest.prefix { !$0.isLetter }))
    }
    return parts
  }
}
