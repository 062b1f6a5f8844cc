import Foundation

/// A child process that exposes live sources and ends with this process.
///
/// The child ends when its standard input is closed, which the system does for this process even
/// after a crash.
final class LiveDemoProcess {
  /// The location to open in the browser.
  let location: String
  private let process: pid_t
  private let pipe: Int32

  /// Starts `larder demo --live` and waits until it is listening.
  ///
  /// Returns nil if it cannot be started; the other samples do not depend on it.
  init?(in folder: String) {
    guard let input = Self.makePipe() else { return nil }
    guard let output = Self.makePipe() else {
      close(input.reading)
      close(input.writing)
      return nil
    }
    let started = Self.start(in: folder, reading: input.reading, writing: output.writing)
    close(input.reading)
    close(output.writing)
    defer { close(output.reading) }
    guard let started else {
      close(input.writing)
      return nil
    }
    process = started
    pipe = input.writing
    guard let line = Self.line(from: output.reading) else {
      Self.end(process, pipe)
      return nil
    }
    location = line
  }

  deinit {
    Self.end(process, pipe)
  }

  /// Makes the process end, and waits for it.
  private static func end(_ process: pid_t, _ pipe: Int32) {
    close(pipe)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// Returns a pipe that child processes do not inherit.
  private static func makePipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func start(
    in folder: String, reading input: Int32, writing output: Int32
  ) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
    defer { posix_spawn_file_actions_destroy(&actions) }
    guard posix_spawnattr_init(&attributes) == 0 else { return nil }
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    // Its messages must not appear on the screen of the browser.
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    // A process group of its own keeps the terminal's signals away from it.
    posix_spawnattr_setpgroup(&attributes, 0)
    // The child would inherit the signals blocked in the calling thread.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK))
    let command = ["larder", "demo", "--live", folder]
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    let settings = ProcessInfo.processInfo.environment.merging([LiveDemo.parentVariable: "1"]) {
      $1
    }
    var environment: [UnsafeMutablePointer<CChar>?] = settings.map { strdup("\($0)=\($1)") }
    defer { for word in words + environment { free(word) } }
    words.append(nil)
    environment.append(nil)
    var process = pid_t()
    let failure = posix_spawn(
      &process, "/proc/self/exe", &actions, &attributes, words, environment)
    return failure == 0 ? process : nil
  }

  /// Returns the line that the process prints once it is listening; nil if it ends first.
  private static func line(from descriptor: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return nil }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
  }
}
