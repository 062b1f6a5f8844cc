import Foundation
import Synchronization

/// The program that shows long output on a terminal, a screen at a time.
///
/// It replaces standard output, and standard error if that is the terminal as well. While it is
/// running, Ctrl-C is meant for it. If the user quits it before the output ends, the process exits.
final class Pager: Sendable {
  /// The command, in shell syntax.
  private let command: String
  private let process: pid_t
  /// The terminal that standard output and standard error were connected to.
  private let output: Int32
  private let errors: Int32
  private let isOver = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  /// The running pager, if any.
  private static let current = Mutex<Pager?>(nil)

  /// Sends further output through the configured pager, if standard output is a terminal.
  ///
  /// The pager starts with the first output. Until then, progress is shown on the terminal and
  /// Ctrl-C interrupts the command.
  static func prepare(_ arguments: Arguments, environment: [String: String]) {
    guard isatty(STDOUT_FILENO) == 1, !arguments.has(.noPager),
      let command = command(arguments[.pager], environment)
    else { return }
    guard canRun(command, environment) else {
      // A missing default pager is not worth a message.
      if command != usual {
        Output.complain(Messages.noPager(command))
      }
      return
    }
    Output.beforeFirstPiece {
      StatusLine.end()
      guard let pager = Pager(command, environment) else { return }
      current.withLock { $0 = pager }
      pager.attend()
    }
  }

  /// The terminal that the running pager writes to; nil if there is none.
  static var terminal: Int32? { current.withLock { $0?.output } }

  /// Waits until the pager has shown everything and the user has quit it.
  static func finish() {
    let pager = current.withLock { current in
      defer { current = nil }
      return current
    }
    pager?.finish()
  }

  private static let usual = "less"

  /// Returns the pager command; nil for none.
  private static func command(_ asked: String?, _ environment: [String: String]) -> String? {
    // A terminal that cannot move its cursor cannot page.
    let isPlain = (environment["TERM"] ?? "dumb") == "dumb"
    let command = asked ?? environment["PAGER"] ?? (isPlain ? "cat" : usual)
    let words = command.split(whereSeparator: \.isWhitespace)
    return words.isEmpty || words == ["cat"] ? nil : command
  }

  /// Whether the first word of a command is a program, as far as can be determined.
  private static func canRun(_ command: String, _ environment: [String: String]) -> Bool {
    guard let word = command.split(whereSeparator: \.isWhitespace).first.map(String.init),
      !word.contains(where: { "$`\"'\\;&|()<>*?[]{}~=".contains($0) })
    else { return true }
    if word.contains("/") { return access(word, X_OK) == 0 }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.contains { access("\($0)/\(word)", X_OK) == 0 }
  }

  private init?(_ command: String, _ environment: [String: String]) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var process = pid_t()
    guard Self.spawn(command, environment, reading: ends[0], &process) else {
      for end in ends { close(end) }
      return nil
    }
    self.command = command
    self.process = process
    output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    errors = isatty(STDERR_FILENO) == 1 ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : -1
    signal(SIGINT, SIG_IGN)
    dup2(ends[1], STDOUT_FILENO)
    if errors >= 0 { dup2(ends[1], STDERR_FILENO) }
    for end in ends { close(end) }
  }

  private static func spawn(
    _ command: String, _ environment: [String: String], reading: Int32, _ process: inout pid_t
  ) -> Bool {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, reading, STDIN_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The signal handling of larder must not apply to the pager.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGPIPE] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    // As with git, output that fits on the screen is printed and stays there.
    let usual = ["LESS": "FRX", "LV": "-c"]
    let settings = usual.merging(environment) { $1 }.map { "\($0.key)=\($0.value)" }
    let words = ["sh", "-c", command].map { (word: String) in strdup(word) }
    let variables = settings.map { strdup($0) }
    defer { for word in words + variables { free(word) } }
    return posix_spawn(
      &process, "/bin/sh", &actions, &attributes, words + [nil], variables + [nil]) == 0
  }

  /// Waits for the pager to exit, on a separate thread.
  private func attend() {
    Thread.detachNewThread {
      var status: Int32 = 0
      while waitpid(self.process, &status, 0) < 0, errno == EINTR {}
      if status >> 8 & 0xff == Self.notFound {
        self.restore()
        Output.complain(Messages.unrunnablePager(self.command))
      }
      if self.isOver.exchange(true, ordering: .relaxed) {
        self.ended.signal()
      } else {
        // The user has quit the pager, so no one will see the rest.
        _exit(status & 0x7f == SIGINT ? ExitCode.interrupted.rawValue : 0)
      }
    }
  }

  private static let notFound: Int32 = 127

  private func finish() {
    guard !isOver.exchange(true, ordering: .relaxed) else { return }
    restore()
    ended.wait()
  }

  /// Reconnects the streams to the terminal, which closes the pager's input.
  private func restore() {
    dup2(output, STDOUT_FILENO)
    if errors >= 0 { dup2(errors, STDERR_FILENO) }
  }
}
