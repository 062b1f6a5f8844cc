import Foundation

/// A shell command that owns the terminal until it exits, as if it had been run by the shell.
///
/// `Foundation.Process` would create a new process group, which would not be the terminal's
/// foreground group.
struct ForegroundCommand {
  private let command: String
  private let path: String

  /// Creates a command with the path of a file as its last argument.
  init(_ command: String, path: String) {
    self.command = command
    self.path = path
  }

  /// The way in which a command ended.
  enum End: Sendable, Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    case notStarted(String)
    /// The command was started, but waiting for it failed.
    case lost(String)

    /// Whether the exit status is that of a shell for a command that is not found or not
    /// executable.
    ///
    /// The command in question may also be one that the command itself has run.
    var isUnknownCommand: Bool {
      self == .exited(Self.notFound) || self == .exited(Self.notRunnable)
    }

    static let notFound: Int32 = 127
    static let notRunnable: Int32 = 126
  }

  /// Runs the command and returns when it has ended.
  ///
  /// Ctrl-C and Ctrl-\ only affect the command meanwhile.
  func run() -> End {
    let before = [
      (SIGINT, signal(SIGINT, SIG_IGN)), (SIGQUIT, signal(SIGQUIT, SIG_IGN)),
      // Otherwise, after Ctrl-Z, ncurses draws its screen over that of the command.
      (SIGTSTP, signal(SIGTSTP, SIG_DFL)),
      // If SIGCHLD is inherited as ignored, `waitpid` cannot return the status.
      (SIGCHLD, signal(SIGCHLD, SIG_DFL)),
    ]
    defer { for (number, handler) in before { signal(number, handler) } }
    return ExitMessage.printIfKilled(Messages.editorKilled(path)) { startAndWait() }
  }

  private func startAndWait() -> End {
    var process = pid_t()
    let failure = start(&process)
    guard failure == 0 else { return .notStarted(String(cString: strerror(failure))) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return .lost(String(cString: strerror(errno))) }
    }
    let signal = status & 0x7f
    guard signal == 0 else { return .killed(signal: signal) }
    let code = status >> 8 & 0xff
    // Shells report a fatal signal as 128 plus its number.
    return (129...192).contains(code) ? .killed(signal: code - 128) : .exited(code)
  }

  private func start(_ process: inout pid_t) -> Int32 {
    var attributes = posix_spawnattr_t()
    guard posix_spawnattr_init(&attributes) == 0 else { return errno }
    defer { posix_spawnattr_destroy(&attributes) }
    // Restores the default signal handling for the command.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU, SIGCHLD] {
      sigaddset(&defaults, number)
    }
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    let words = ["sh", "-c", "\(command) \"$@\"", command, path]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    return posix_spawn(&process, "/bin/sh", nil, &attributes, arguments, environ)
  }
}
