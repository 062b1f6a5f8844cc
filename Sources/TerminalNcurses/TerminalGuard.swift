import CNcurses
import Glibc

/// Restores the terminal even if the process crashes, and reports signals.
///
/// This is the only file that calls the `cn_guard` functions, since every object file that does
/// gets its own state. The state is global, so only one terminal can be guarded at a time.
@MainActor enum TerminalGuard {
  /// The pipe that signal handlers write to; created once and never closed.
  private static let pipes: (read: Int32, write: Int32)? = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    return (ends[0], ends[1])
  }()

  /// The descriptor from which signal numbers are read, one byte each; nil if the pipe could not be
  /// created.
  static var notices: Int32? { pipes?.read }

  /// Records the modes of a terminal before they are changed.
  static func noteModes(of output: Int32) {
    cn_guard_note_modes(output)
  }

  /// Installs the signal handlers; in an emergency they write `leave` to the terminal.
  ///
  /// If standard error is a terminal, its output is captured until the end, as it would corrupt the
  /// screen.
  static func begin(leave: String) {
    guard let pipes else { return }
    var leave = leave
    leave.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else { return }
        cn_guard_begin(pipes.write, start, characters.count, captureFile())
      }
    }
  }

  /// Prepares this thread, which runs the main actor, to handle a stack overflow.
  static func coverThread() {
    cn_use_signal_stack()
  }

  /// Records that the terminal was closed, so that further SIGHUPs do not end the program.
  static func noteHangUp() {
    cn_guard_note_hang_up()
  }

  /// Restores the signal handlers; call this before restoring the terminal.
  static func end() {
    cn_guard_end()
  }

  /// Writes the captured output to standard error, after the terminal was restored.
  static func releaseStandardError() {
    cn_release_error()
  }

  /// Stops the process as Ctrl-Z does, and returns when it is continued.
  static func stopProcess() {
    cn_stop_process()
  }

  /// Notifies the main actor as if a signal had arrived.
  static func notify(_ signal: Int32) {
    guard let pipes else { return }
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = write(pipes.write, &byte, 1)
  }

  /// Returns the signals that have arrived since the last call, without duplicates, in order.
  static func takeNotices() -> [Int32] {
    guard let pipes else { return [] }
    var signals: [Int32] = []
    var buffer = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(pipes.read, &buffer, buffer.count)
      guard count > 0 else { return signals }
      for byte in buffer.prefix(count) where !signals.contains(Int32(byte)) {
        signals.append(Int32(byte))
      }
    }
  }

  /// Returns an anonymous file for standard error; -1 if that is not a terminal or on failure.
  private static func captureFile() -> Int32 {
    guard isatty(STDERR_FILENO) == 1, let file = tmpfile() else { return -1 }
    let descriptor = dup(fileno(file))
    fclose(file)
    guard descriptor >= 0 else { return -1 }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }
}
