import Foundation
import LarderModel
import Synchronization
import TerminalUI

/// The standard streams of the process.
///
/// Standard output is collected and written in large pieces. Once its reader has gone, nothing more
/// is written, and the process ends quietly.
final class Output {
  /// Whether standard output is a terminal: then nothing that could control it is written.
  let isTerminal = isatty(STDOUT_FILENO) == 1
  private var buffer = ByteBuffer(capacity: pieceSize + 4_096)
  private static let pieceSize = 1 << 16
  /// Whose turn it is: who hands a piece to the system, or who ends the process.
  private static let turn = DispatchSemaphore(value: 1)

  /// Whether a change was made, which what is printed tells of.
  private static let isChanged = Atomic(false)

  /// Notes that a change was made, so that it is said where the output that tells of it fails.
  static func noteChange() {
    isChanged.store(true, ordering: .relaxed)
  }

  /// Lets nothing more be written: what the system is taking it gets whole, so that what a file holds
  /// ends with a line.
  ///
  /// - Parameter patience: How long to wait for a reader that does not take it, in seconds.
  static func close(patience: Double) {
    _ = turn.wait(timeout: .now() + patience)
  }

  /// What is done before anything is printed, the latest first.
  private static let preparations = Mutex<[@Sendable () -> Void]>([])

  /// Does something as soon as there is something to print, before that is written.
  static func beforeFirstPiece(_ body: @escaping @Sendable () -> Void) {
    preparations.withLock { $0.append(body) }
  }

  /// Does what is to be done before anything is printed, once; in the turn of whoever prints.
  private static func begin() {
    let bodies = preparations.withLock { bodies in
      defer { bodies = [] }
      return bodies
    }
    for body in bodies.reversed() { body() }
  }

  /// Writes text and ends the line.
  func line(_ text: String) {
    write(isTerminal ? Sanitizer.display(text) : text)
    end()
  }

  /// Writes text as it is, such as JSON, which escapes what could control a terminal, and ends the
  /// line.
  func plainLine(_ text: String) {
    write(text)
    end()
  }

  /// Writes text of several lines, each made harmless where it goes to a terminal.
  func lines(_ text: String) {
    guard isTerminal else {
      write(text)
      return
    }
    for (index, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if index > 0 { end() }
      write(Sanitizer.display(part))
    }
  }

  /// Ends a line.
  func end(_ terminator: UInt8 = UInt8(ascii: "\n")) {
    buffer.append(terminator)
    if buffer.count >= Self.pieceSize { flush() }
  }

  /// Writes text as it is.
  func write(_ text: String) {
    buffer.append(text)
  }

  /// Writes a number of spaces.
  func write(spaces count: Int) {
    for _ in 0..<max(0, count) { buffer.append(UInt8(ascii: " ")) }
  }

  /// Writes the notation of a key, which no terminal can be controlled by.
  func key(_ key: EntryKey, _ style: KeyStyle) {
    key.appendNotation(style, to: &buffer)
  }

  /// Writes what a closure adds, and ends the line.
  func line(_ add: (inout ByteBuffer) -> Void) {
    add(&buffer)
    end()
  }

  /// Writes bytes as they are.
  func write(_ bytes: [UInt8]) {
    if bytes.count >= Self.pieceSize {
      flush()
      bytes.withUnsafeBytes { Self.hand($0) }
      return
    }
    buffer.append(bytes)
    if buffer.count >= Self.pieceSize { flush() }
  }

  /// Writes lines in pieces, none of which ends within a line.
  ///
  /// - Parameters:
  ///   - bytes: The lines, each with its end.
  ///   - told: Called with how many lines were in a piece, once the system has it: a reader that is
  ///     slow takes one only now and then.
  func write(lines bytes: [UInt8], _ told: (Int) -> Void) {
    flush()
    bytes.withUnsafeBytes { bytes in
      var (start, place, count) = (0, 0, 0)
      while place < bytes.count, let base = bytes.baseAddress {
        let next = memchr(base + place, Int32(UInt8(ascii: "\n")), bytes.count - place)
        place = next.map { UnsafeRawPointer($0) - base + 1 } ?? bytes.count
        count += 1
        guard place - start >= Self.pieceSize / 2 || place == bytes.count else { continue }
        Self.hand(UnsafeRawBufferPointer(rebasing: bytes[start..<place])) { told(count) }
        (start, count) = (place, 0)
      }
    }
  }

  /// Hands everything to the system; ends the process if the reader is gone.
  func flush() {
    buffer.withBytes { Self.hand($0) }
    buffer.truncate(to: 0)
  }

  /// Hands bytes to the system, and tells of it before anybody may end the process.
  private static func hand(_ bytes: UnsafeRawBufferPointer, _ told: () -> Void = {}) {
    guard !bytes.isEmpty else { return }
    turn.wait()
    defer { turn.signal() }
    begin()
    var start = 0
    while start < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      let written = Foundation.write(STDOUT_FILENO, rest.baseAddress, rest.count)
      if written > 0 {
        start += written
      } else if errno != EINTR {
        let isReaderGone = errno == EPIPE
        if !isReaderGone {
          let reason = reason(errno)
          let rest = isChanged.load(ordering: .relaxed) ? "; the change itself was made" : ""
          complain("standard output cannot be written: \(reason)\(rest)")
        }
        // A reader that has seen enough, such as head, is no failure.
        exit(isReaderGone ? 0 : ExitCode.store.rawValue)
      }
    }
    told()
  }

  /// Makes sure that the three standard descriptors lead somewhere.
  ///
  /// Where one is closed, the next file that is opened would take its place: a message could be
  /// written into a store. What stands in for a closed one is open for the other direction only, so
  /// that whoever reads or writes it is told.
  static func openStandardDescriptors() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }

  /// Why standard output cannot be written, as a clause.
  private static func reason(_ number: Int32) -> String {
    number == EBADF ? "it is closed" : String(cString: strerror(number))
  }

  /// Asks a question on standard error.
  static func ask(_ question: String) {
    StatusLine.clear()
    say(Sanitizer.display(question) + " [y/N] ")
  }

  /// The number of columns of the terminal that a descriptor is open on; 80 where it is none.
  static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 80
  }

  /// Foundation's file handles end the process where nobody reads standard error any more.
  static func say(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes {
      Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count)
    }
  }

  /// Whether the error that ends the process is printed as JSON.
  private static let hasJSONErrors = Atomic(false)

  /// Prints the error that ends the process as JSON, as `--json` asks for.
  static func printErrorsAsJSON() {
    hasJSONErrors.store(true, ordering: .relaxed)
  }

  /// Prints the error that ends the process on standard error, as a line of JSON or as a message.
  static func report(_ failure: Failure) {
    guard
      hasJSONErrors.load(ordering: .relaxed) || CommandLine.arguments.contains(OptionSpec.json.name)
    else { return complain(failure.message) }
    StatusLine.clear()
    let message = JSONText.quote(failure.message)
    say("{\"error\":\"\(failure.name)\",\"message\":\(message)}\n")
  }

  /// Says on standard error what happened and what to do.
  static func complain(_ message: String) {
    StatusLine.clear()
    // Also where it goes to a file or a program: people look at those on terminals, too, and a line
    // break in a name must not look like a second message.
    say("larder: \(Sanitizer.display(message))\n")
  }
}
