import CNcurses
import Glibc
package import TerminalUI

/// What a terminal is and can do, as terminfo, the environment and the terminal itself say.
package struct TerminalReport: Sendable {
  /// The name in `TERM`.
  package let name: String
  /// How many colours are shown.
  package let colorDepth: ColorDepth
  /// Columns and rows; nil where nobody knows.
  package let size: Size?
  /// Whether the mouse is listened to.
  package let takesMouse: Bool
  /// Whether it is thought to take text for the clipboard (OSC 52).
  package let takesClipboard: Bool
  /// The program of the machine that takes such text, too; nil for none.
  package let clipboardProgram: String?
  /// What the terminal said of frames that are shown at once; nil where it said nothing.
  package let takesFrames: Bool?
  /// Whether the terminal answered at all.
  package let answers: Bool

  /// Asks terminfo, and the terminal, which is given half a second to answer.
  ///
  /// - Parameters:
  ///   - environment: Names the terminal.
  ///   - input: Where answers come from; nothing is asked where that is no terminal.
  ///   - output: The terminal.
  /// - Throws: ``TerminalError`` where it can show no screen.
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

  /// Asks what the terminal is, which all of them answer: then no other answer follows.
  private static let askAttributes = "\u{1b}[c"
  private static let patience: Int32 = 500

  /// What the terminal answers to a question, up to what it says of itself.
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
  /// The parts behind each mark, up to the letter that ends a control sequence.
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
