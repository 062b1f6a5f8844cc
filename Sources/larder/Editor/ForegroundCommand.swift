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

    /// What it says of a command that did not end well.
    var problem: String? {
      switch self {
      case .exited(0): nil
      case .exited(let status): "ended with status \(status)"
      case .killed(let signal): "was ended by signal \(signal)"
      case .notStarted(let reason): reason
      }
    }
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
    ]
    defer { for (number, handler) in before { signal(number, handler) } }
    var process = pid_t()
    let failure = start(&process)
    guard failure == 0 else { return .notStarted(String(cString: strerror(failure))) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return .notStarted(String(cString: strerror(errno))) }
    }
    let signal = status & 0x7f
    guard signal == 0 else { return .killed(signal: signal) }
    let code = status >> 8 & 0xff
    // What shells answer where there is no such command, none that can be run, or a signal ended it.
    return switch code {
    case 127: .notStarted("there is no such command; set VISUAL or EDITOR to one")
    case 126: .notStarted("it is not a program; set VISUAL or EDITOR to one")
    case 129...(192): .killed(signal: code - 128)
    default: .exited(code)
    }
  }

  private func start(_ process: inout pid_t) -> Int32 {
    var attributes = posix_spawnattr_t()
    guard posix_spawnattr_init(&attributes) == 0 else { return errno }
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals are for the command what they are for every other.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU] {
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
