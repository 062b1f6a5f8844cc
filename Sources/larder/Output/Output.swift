import Foundation
import LarderModel
import Synchronization
import TerminalUI

/// The standard streams of the process.
///
/// Standard output is buffered. Once its reader has closed the pipe, the process ends quietly.
final class Output {
  /// Whether standard output is a terminal, so that control characters have to be escaped.
  let isTerminal = isatty(STDOUT_FILENO) == 1
  private var buffer = ByteBuffer(capacity: pieceSize + 4_096)
  private static let pieceSize = 1 << 16
  /// Held while writing to standard output, and by the thread that ends the process.
  private static let turn = DispatchSemaphore(value: 1)

  /// Whether a change was made that the output would report.
  private static let isChanged = Atomic(false)

  /// Records that a change was made, to be mentioned if the output fails.
  static func noteChange() {
    isChanged.store(true, ordering: .relaxed)
  }

  /// Prevents any further output, so that a file ends with a complete line.
  ///
  /// Waits for a write in progress to finish.
  ///
  /// - Parameter patience: The maximum time to wait for a slow reader, in seconds.
  static func close(patience: Double) {
    _ = turn.wait(timeout: .now() + patience)
  }

  /// The closures to run before the first output, in the reverse of the order of execution.
  private static let preparations = Mutex<[@Sendable () -> Void]>([])

  /// Runs a closure before the first output is written.
  static func beforeFirstPiece(_ body: @escaping @Sendable () -> Void) {
    preparations.withLock { $0.append(body) }
  }

  /// Runs the closures for the first output, once; the caller holds `turn`.
  private static func begin() {
    let bodies = preparations.withLock { bodies in
      defer { bodies = [] }
      return bodies
    }
    for body in bodies.reversed() { body() }
  }

  /// Writes a line of text.
  func line(_ text: String) {
    write(isTerminal ? Sanitizer.display(text) : text)
    end()
  }

  /// Writes a line of text unescaped, such as JSON, which escapes control characters itself.
  func plainLine(_ text: String) {
    write(text)
    end()
  }

  /// Writes several lines of text, sanitizing each if the output is a terminal.
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

  /// Writes text unescaped.
  func write(_ text: String) {
    buffer.append(text)
  }

  /// Writes a number of spaces.
  func write(spaces count: Int) {
    for _ in 0..<max(0, count) { buffer.append(UInt8(ascii: " ")) }
  }

  /// Writes the notation of a key, which contains no control characters.
  func key(_ key: EntryKey, _ style: KeyStyle) {
    key.appendNotation(style, to: &buffer)
  }

  /// Writes what a closure appends, and ends the line.
  func line(_ add: (inout ByteBuffer) -> Void) {
    add(&buffer)
    end()
  }

  /// Writes bytes unescaped.
  func write(_ bytes: [UInt8]) {
    if bytes.count >= Self.pieceSize {
      flush()
      bytes.withUnsafeBytes { Self.hand($0) }
      return
    }
    buffer.append(bytes)
    if buffer.count >= Self.pieceSize { flush() }
  }

  /// Writes lines in pieces that end at line ends.
  ///
  /// - Parameters:
  ///   - bytes: The lines, each with its line end.
  ///   - told: Called with the number of lines after each piece is written, which a slow reader can
  ///     delay.
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

  /// Writes out the buffer, and ends the process if the reader has closed the pipe.
  func flush() {
    buffer.withBytes { Self.hand($0) }
    buffer.truncate(to: 0)
  }

  /// Writes bytes, and calls `told` before another thread can end the process.
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
          let isChanged = isChanged.load(ordering: .relaxed)
          complain(Messages.unwritableOutput(reason, isChanged: isChanged))
        }
        // A reader such as `head` closes the pipe once it has seen enough, which is not an error.
        exit(isReaderGone ? 0 : ExitCode.store.rawValue)
      }
    }
    told()
  }

  /// Opens `/dev/null` for any standard descriptor that is closed.
  ///
  /// Otherwise the next file to be opened would get its number, and a message could be written into
  /// a store. The replacements are opened for the opposite direction, so that reading or writing
  /// fails.
  static func openStandardDescriptors() {
    for (descriptor, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR),
    ] where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }

  /// Returns why standard output cannot be written, as a clause.
  private static func reason(_ number: Int32) -> String {
    number == EBADF ? Messages.closed : String(cString: strerror(number))
  }

  /// Asks a question on standard error.
  static func ask(_ question: String) {
    prompt(question + " [y/N] ")
  }

  /// Prints the text before an input on standard error.
  static func prompt(_ text: String) {
    StatusLine.clear()
    say(Sanitizer.display(text))
  }

  /// Returns the number of columns of a terminal; 80 if the descriptor is not a terminal.
  static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    // A terminal whose size nothing has set reports 0.
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
      ? Int(size.ws_col) : 80
  }

  /// Writes to standard error, without ending the process if that is closed.
  ///
  /// Foundation's file handles would end it.
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
    guard hasJSONErrors.load(ordering: .relaxed) else { return complain(failure.message) }
    StatusLine.clear()
    let message = JSONText.quote(failure.message)
    say("{\"error\":\"\(failure.name)\",\"message\":\(message)}\n")
  }

  /// Says on standard error what happened and what to do.
  static func complain(_ message: String) {
    StatusLine.clear()
    // Also sanitized for files and pipes, which may be shown on a terminal later. A line break in a
    // name must not look like a second message.
    say("larder: \(Sanitizer.display(message))\n")
  }
}
