import CNcurses
import Glibc
import TerminalUI

@testable import TerminalNcurses

/// A terminal with input from a pseudo-terminal and output to a file.
@MainActor final class TerminalOnFiles {
  let terminal: NcursesTerminal
  private(set) var events: [TerminalEvent] = []
  /// Negative after closing, as the descriptor may have been reused by then.
  private var keyboard: Int32
  private let input: Int32
  private let output: Int32

  init(
    term: String = "xterm-256color", environment: [String: String] = [:],
    size: Size = Size(width: 40, height: 10), writesToTerminal: Bool = false
  ) throws {
    keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var number: UInt32 = 0
    var lock: Int32 = 0
    // TIOCSPTLCK and TIOCGPTN, which Swift does not import: unlock, and get the number.
    guard ioctl(keyboard, 0x4004_5431, &lock) == 0, ioctl(keyboard, 0x8004_5430, &number) == 0,
      let file = tmpfile()
    else { throw TerminalError(code: .failed, message: "no pseudo-terminal") }
    input = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // Pass bytes through unchanged, like a real terminal in raw mode.
    var modes = termios()
    tcgetattr(input, &modes)
    cfmakeraw(&modes)
    tcsetattr(input, TCSANOW, &modes)
    // ncurses accepts non-ASCII bytes unchanged only if its output is such a terminal.
    output = fcntl(writesToTerminal ? input : fileno(file), F_DUPFD_CLOEXEC, 0)
    fclose(file)
    let variables = environment.merging(["TERM": term]) { given, _ in given }
    terminal = try NcursesTerminal(
      input: input, output: output, environment: variables, fixedSize: size)
  }

  func start() {
    terminal.start { [weak self] event in self?.events.append(event) }
  }

  func close() {
    terminal.stop()
    closeKeyboard()
    // The input descriptor stays open: Dispatch releases it some time later, and must not find it
    // closed or reused.
    Glibc.close(output)
  }

  private func closeKeyboard() {
    if keyboard >= 0 { Glibc.close(keyboard) }
    keyboard = -1
  }

  /// Sends text to the terminal and returns the resulting events.
  func type(_ text: String) -> [TerminalEvent] { type(Array(text.utf8)) }

  /// Sends arbitrary bytes to the terminal and returns the resulting events.
  func type(_ bytes: [UInt8]) -> [TerminalEvent] {
    events = []
    _ = write(keyboard, bytes, bytes.count)
    terminal.readInput()
    return events
  }

  /// Closes the pseudo-terminal and returns the resulting events.
  func hangUp() async -> [TerminalEvent] {
    events = []
    closeKeyboard()
    while events.isEmpty { await Task.yield() }
    return events
  }

  /// Returns the output since the last call.
  func written() -> String {
    let end = lseek(output, 0, SEEK_END)
    var bytes = [UInt8](repeating: 0, count: Int(end - place))
    let count = pread(output, &bytes, bytes.count, place)
    place = end
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
  private var place: off_t = 0

  /// Returns the contents of a cell in ncurses' window.
  func cell(_ x: Int32, _ y: Int32) -> (text: String, attributes: attr_t, pair: Int32) {
    var cell = cchar_t()
    mvwin_wch(terminal.window, y, x, &cell)
    var characters = [wchar_t](repeating: 0, count: 8)
    var attributes: attr_t = 0
    var short: Int16 = 0
    var pair: Int32 = 0
    getcchar(&cell, &characters, &attributes, &short, &pair)
    var text = ""
    for character in characters.prefix(while: { $0 != 0 }) {
      if let scalar = Unicode.Scalar(UInt32(bitPattern: character)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return (text, attributes, pair)
  }
}
