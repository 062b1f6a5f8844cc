import CNcurses
import Glibc

/// Gives the terminal back whatever happens to the process, and reports signals.
///
/// The only file that calls the `cn_guard` functions, as each object file that did would get a
/// state of its own. There is one state for the process, so one terminal is guarded at a time.
@MainActor enum TerminalGuard {
  /// The ends of the pipe through which the signal handlers speak; made once and never closed.
  private static let pipes: (read: Int32, write: Int32)? = {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    return (ends[0], ends[1])
  }()

  /// Where the numbers of signals arrive, a byte each; nil if the system refused a pipe.
  static var notices: Int32? { pipes?.read }

  /// Notes the modes of a terminal before anything changes them.
  static func noteModes(of output: Int32) {
    cn_guard_note_modes(output)
  }

  /// Handles signals from now on; in an emergency `leave` is written to the terminal.
  ///
  /// If standard error is a terminal, what is written to it meanwhile is kept, as it would smear
  /// the screen, and shown at the end.
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

  /// Lets this thread, which runs the main actor now, handle even a stack that is full.
  static func coverThread() {
    cn_use_signal_stack()
  }

  /// Notes that the terminal is gone, so that no further signal that says so ends the program.
  static func noteHangUp() {
    cn_guard_note_hang_up()
  }

  /// Handles signals as before; the caller is about to give the terminal back.
  static func end() {
    cn_guard_end()
  }

  /// Shows what was written to standard error meanwhile, once the terminal is given back.
  static func releaseStandardError() {
    cn_release_error()
  }

  /// Stops the process as Ctrl-Z does and returns when it is continued.
  static func stopProcess() {
    cn_stop_process()
  }

  /// Makes the main actor act as if a signal had come.
  static func notify(_ signal: Int32) {
    guard let pipes else { return }
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = write(pipes.write, &byte, 1)
  }

  /// The signals that have come since the last call, each once, in the order of arrival.
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

  /// A file without a name for standard error; -1 if that is no terminal or none can be made.
  private static func captureFile() -> Int32 {
    guard isatty(STDERR_FILENO) == 1, let file = tmpfile() else { return -1 }
    let descriptor = dup(fileno(file))
    fclose(file)
    guard descriptor >= 0 else { return -1 }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }
}
