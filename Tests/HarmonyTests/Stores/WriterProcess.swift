import Foundation
import Harmony

/// A process that writes to a store and can be killed.
struct WriterProcess: ~Copyable {
  private let process: pid_t
  private let output: Int32
  private var unread: [UInt8] = []

  /// Processes are started one at a time: another one started between creating a pipe and closing
  /// an end would keep it open.
  private static let gate = Locked(0)

  /// Starts the writer program built with these tests.
  init(_ arguments: [String]) throws {
    (process, output) = try Self.gate.withLock { _ in try Self.start(arguments) }
  }

  private static func start(_ arguments: [String]) throws -> (process: pid_t, output: Int32) {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = (tests as NSString).deletingLastPathComponent + "/StoreWriter"
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var identifier: pid_t = 0
    let result = posix_spawn(&identifier, path, &actions, nil, &words, environ)
    close(ends[1])
    guard result == 0 else {
      close(ends[0])
      throw POSIXError(POSIXErrorCode(rawValue: result) ?? .ENOENT)
    }
    return (identifier, ends[0])
  }

  deinit {
    close(output)
  }

  /// Returns the next line of output, or nil if the process has exited.
  mutating func line() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(output, &bytes, bytes.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      unread += bytes.prefix(count)
    }
  }

  /// Kills the process with SIGKILL, which it cannot handle.
  func kill() {
    _ = Foundation.kill(process, SIGKILL)
  }

  /// Waits for the process to exit, which frees its identifier.
  func wait() {
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 && errno == EINTR {}
  }
}
