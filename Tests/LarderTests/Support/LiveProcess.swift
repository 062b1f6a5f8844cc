import Foundation

/// A process with live sources, which a test can end and start again.
final class LiveProcess {
  private let folder: String
  private var process: pid_t?
  /// The read end of the process's standard output; end of file means that the process has ended.
  private var output: Int32 = -1

  /// The time to wait for the process to end, in milliseconds.
  private static let patience: Int32 = 120_000

  init() throws {
    // Short, as the paths of sockets are limited in length.
    folder = "/tmp/live-" + UUID().uuidString.prefix(12)
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var socket: String { folder + "/live.sock" }
  var location: String { "unix:" + socket }
  var number: pid_t { process ?? 0 }

  /// Starts the process, and returns once it accepts connections.
  func start() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ScratchError(text: "no pipe is left") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    let started = Result { try spawn(writingTo: ends[1]) }
    close(ends[1])
    process = try started.get()
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
    guard String(decoding: line, as: UTF8.self) == location else {
      throw ScratchError(text: "larder demo --live does not listen")
    }
  }

  private func spawn(writingTo output: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Test threads block signals, and the test runner may ignore some; the child must not inherit
    // that.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let command = ["env", "--default-signal", Shell.larder, "demo", "--live", folder]
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var process = pid_t()
    guard posix_spawnp(&process, "env", &actions, &attributes, words, environ) == 0 else {
      throw ScratchError(text: "larder demo --live cannot be started")
    }
    return process
  }

  func signal(_ number: Int32) {
    if let process { Foundation.kill(process, number) }
  }

  /// Kills the process, as a crash would.
  func kill() {
    guard process != nil else { return }
    signal(SIGKILL)
    _ = reap()
  }

  /// Sends a signal and returns the exit status, or `nil` if the process does not end.
  func end(_ number: Int32) -> Int32? {
    guard process != nil else { return nil }
    signal(number)
    var end = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&end, 1, Self.patience) == 1 else { return nil }
    let status = reap()
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  private func reap() -> Int32 {
    guard let process else { return 0 }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    close(output)
    self.process = nil
    return status
  }
}
