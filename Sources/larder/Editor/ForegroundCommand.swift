import Foundation

/// A command of the shell that has the terminal until it ends, as if the shell itself had run it.
///
/// `Foundation.Process` would put it into a process group of its own, which is not the one that the
/// terminal takes keys from.
struct ForegroundCommand {
  private let command: String
  private let path: String

  /// A command with the path of a file as its last argument.
  init(_ command: String, path: String) {
    self.command = command
    self.path = path
  }

  /// How a command ended.
  enum End: Sendable, Equatable {
    case exited(Int32)
    case killed(signal: Int32)
    case notStarted(String)
    /// It was started, and how it ended, if it has, cannot be found out.
    case lost(String)

    /// What it says of a command that did not end well.
    var problem: String? {
      switch self {
      case .exited(0): nil
      case .exited(Self.notFound): "ended with status \(Self.notFound): there is no such command"
      case .exited(Self.notRunnable): "ended with status \(Self.notRunnable): it is not a program"
      case .exited(let status): "ended with status \(status)"
      case .killed(let signal): "was ended by signal \(signal)"
      case .notStarted(let reason): "cannot be started: \(reason)"
      case .lost(let reason): "cannot be waited for: \(reason)"
      }
    }

    /// Whether this is what shells answer where there is no such command, or none that can be run:
    /// the command itself, or one that it has called after it did its work.
    var isUnknownCommand: Bool {
      self == .exited(Self.notFound) || self == .exited(Self.notRunnable)
    }

    private static let notFound: Int32 = 127
    private static let notRunnable: Int32 = 126
  }

  /// Runs it, and returns when it has ended.
  ///
  /// What the keys of the terminal send to all its programs meanwhile, Ctrl-C and Ctrl-\, is for the
  /// command alone.
  func run() -> End {
    let before = [
      (SIGINT, signal(SIGINT, SIG_IGN)), (SIGQUIT, signal(SIGQUIT, SIG_IGN)),
      // Else ncurses draws its screen over the command's when both go on after Ctrl-Z.
      (SIGTSTP, signal(SIGTSTP, SIG_DFL)),
      // Where it is ignored, as it may be from the start, nobody can be waited for.
      (SIGCHLD, signal(SIGCHLD, SIG_DFL)),
    ]
    defer { for (number, handler) in before { signal(number, handler) } }
    return LastWords.standBy("the text in your editor is in \(path)") { startAndWait() }
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
    // What shells answer where a signal ended it.
    return (129...192).contains(code) ? .killed(signal: code - 128) : .exited(code)
  }

  private func start(_ process: inout pid_t) -> Int32 {
    var attributes = posix_spawnattr_t()
    guard posix_spawnattr_init(&attributes) == 0 else { return errno }
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals are for the command what they are for every other.
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
