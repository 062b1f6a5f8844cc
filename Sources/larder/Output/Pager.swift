import Foundation
import Synchronization

/// The program that shows long output on a terminal, a screen at a time.
///
/// It takes the place of standard output, and of standard error where that is the terminal, too. As
/// long as it runs, Ctrl-C is meant for it; when it ends before the output does, nobody looks at the
/// rest, and the process ends.
final class Pager: Sendable {
  /// The command for the shell.
  private let command: String
  private let process: pid_t
  /// The terminal itself, behind what stands before it now.
  private let output: Int32
  private let errors: Int32
  private let isOver = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  /// The one that runs, if any.
  private static let current = Mutex<Pager?>(nil)

  /// Lets what is printed from now on go through the pager that is asked for; without one, and where
  /// standard output is no terminal, nothing changes.
  ///
  /// It begins with the first piece that is printed: until then the terminal shows how far the
  /// command is, and Ctrl-C is meant for that.
  static func prepare(_ arguments: Arguments, environment: [String: String]) {
    guard isatty(STDOUT_FILENO) == 1, !arguments.has(.noPager),
      let command = command(arguments[.pager], environment)
    else { return }
    guard canRun(command, environment) else {
      // Nobody asked for less.
      if command != usual {
        Output.complain("there is no program “\(command)”; --pager or PAGER names another")
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

  /// The terminal that a pager shows its output on; nil where none runs.
  static var terminal: Int32? { current.withLock { $0?.output } }

  /// Waits until the pager has shown everything and the user has left it.
  static func finish() {
    let pager = current.withLock { current in
      defer { current = nil }
      return current
    }
    pager?.finish()
  }

  private static let usual = "less"

  /// What shows long output; nil for nothing.
  private static func command(_ asked: String?, _ environment: [String: String]) -> String? {
    // A terminal that cannot move its cursor cannot show screens.
    let isPlain = (environment["TERM"] ?? "dumb") == "dumb"
    let command = asked ?? environment["PAGER"] ?? (isPlain ? "cat" : usual)
    let words = command.split(whereSeparator: \.isWhitespace)
    return words.isEmpty || words == ["cat"] ? nil : command
  }

  /// Whether the first word of a command is a program, as far as that can be told.
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
    // What larder does with signals is no matter of the pager's.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGPIPE] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    // As git does: what fits the screen is shown at once, and stays there.
    let usual = ["LESS": "FRX", "LV": "-c"]
    let settings = usual.merging(environment) { $1 }.map { "\($0.key)=\($0.value)" }
    let words = ["sh", "-c", command].map { (word: String) in strdup(word) }
    let variables = settings.map { strdup($0) }
    defer { for word in words + variables { free(word) } }
    return posix_spawn(
      &process, "/bin/sh", &actions, &attributes, words + [nil], variables + [nil]) == 0
  }

  /// Waits for the end of the pager on a thread of its own.
  private func attend() {
    Thread.detachNewThread {
      var status: Int32 = 0
      while waitpid(self.process, &status, 0) < 0, errno == EINTR {}
      if status >> 8 & 0xff == Self.notFound {
        self.restore()
        Output.complain("the pager “\(self.command)” cannot be run; --no-pager does without")
      }
      if self.isOver.exchange(true, ordering: .relaxed) {
        self.ended.signal()
      } else {
        // Whatever is being done is for nobody any more.
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

  /// Gives the streams back to the terminal, which is the end of what the pager reads.
  private func restore() {
    dup2(output, STDOUT_FILENO)
    if errors >= 0 { dup2(errors, STDERR_FILENO) }
  }
}
