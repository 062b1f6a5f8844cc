import Dispatch
import Glibc

/// A local program that sets the clipboard.
///
/// For terminals that do not support OSC 52: by default, tmux only forwards text that it receives
/// this way.
struct LocalClipboard: Sendable, Equatable {
  /// The program with its arguments.
  let words: [String]

  /// Selects the program for an environment, or returns nil if none is known or installed.
  ///
  /// - Parameters:
  ///   - environment: The environment variables.
  ///   - isInstalled: Returns whether a program is installed.
  init?(_ environment: [String: String], isInstalled: (String) -> Bool) {
    let known = [
      ("TMUX", ["tmux", "load-buffer", "-w", "-"]), ("WAYLAND_DISPLAY", ["wl-copy"]),
      ("DISPLAY", ["xclip", "-selection", "clipboard"]), ("DISPLAY", ["xsel", "-ib"]),
    ]
    let suitable = known.first { variable, words in
      environment[variable]?.isEmpty == false && isInstalled(words[0])
    }
    guard let suitable else { return nil }
    words = suitable.1
  }

  /// The program for the environment of this process.
  static var ofProcess: LocalClipboard? {
    let names = ["TMUX", "WAYLAND_DISPLAY", "DISPLAY"]
    let values = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
    let folders = getenv("PATH").map { String(cString: $0).split(separator: ":") } ?? []
    return LocalClipboard(Dictionary(values) { $1 }) { name in
      folders.contains { access("\($0)/\(name)", X_OK) == 0 }
    }
  }

  /// Passes text to the program, in the background.
  ///
  /// - Returns: Whether the program was started.
  func take(_ text: String) -> Bool {
    var ends: (Int32, Int32) = (-1, -1)
    let isMade = withUnsafeMutableBytes(of: &ends) { bytes in
      bytes.withMemoryRebound(to: Int32.self) {
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, $0.baseAddress)
      }
    }
    guard isMade == 0 else { return false }
    let process = start(input: ends.1)
    close(ends.1)
    guard let process else {
      close(ends.0)
      return false
    }
    let output = ends.0
    DispatchQueue.global(qos: .utility).async {
      Self.send(Array(text.utf8), to: output)
      close(output)
      while waitpid(process, nil, 0) < 0, errno == EINTR {}
    }
    return true
  }

  /// Starts the program with its output discarded.
  private func start(input: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    return posix_spawnp(&process, words[0], &actions, nil, arguments, environ) == 0 ? process : nil
  }

  /// Writes bytes until the program stops reading.
  private static func send(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

extension LocalClipboard {
  /// Returns a digest of a text that is only meaningful in this process.
  static func digest(of bytes: [UInt8]) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes)
    return hasher.finalize()
  }

  /// The programs that print and clear the clipboard; the latter is nil if the clipboard is cleared
  /// by passing it an empty text.
  private var others: (show: [String], clear: [String]?)? {
    switch words.first {
    case "tmux": (["tmux", "show-buffer"], ["tmux", "delete-buffer"])
    case "wl-copy": (["wl-paste", "--no-newline"], ["wl-copy", "--clear"])
    case "xclip": (["xclip", "-selection", "clipboard", "-o"], nil)
    case "xsel": (["xsel", "-ob"], ["xsel", "-cb"])
    default: nil
    }
  }

  /// Clears the clipboard if it contains a given text.
  ///
  /// - Parameter digest: The digest of the text.
  /// - Returns: Whether it contained the text; nil if that is unknown.
  func forget(_ digest: Int) -> Bool? {
    guard let others, let found = Self.output(of: others.show) else { return nil }
    guard Self.digest(of: found) == digest else { return false }
    let isCleared = others.clear.map { Self.output(of: $0) != nil } ?? take("")
    return isCleared ? true : nil
  }

  /// Returns the output of a program, if it succeeds within a second.
  static func output(of words: [String]) -> [UInt8]? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let isStarted = posix_spawnp(&process, words[0], &actions, nil, arguments, environ) == 0
    close(ends[1])
    guard isStarted else { return nil }
    var output: [UInt8] = []
    let end = ContinuousClock.now + .seconds(1)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(ends[0], &bytes, bytes.count)
      if count > 0 {
        output += bytes.prefix(count)
      } else if count == 0 {
        break
      } else if errno == EAGAIN, ContinuousClock.now < end {
        var waiting = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, 100)
      } else if errno != EINTR {
        kill(process, SIGKILL)
        break
      }
    }
    var status: Int32 = 0
    // The program may close its output and go on.
    while waitpid(process, &status, WNOHANG) == 0 {
      if ContinuousClock.now > end { kill(process, SIGKILL) }
      usleep(1_000)
    }
    return status == 0 ? output : nil
  }
}
