import Foundation

/// A process that writes to documents and can be killed.
struct DocumentProcess: ~Copyable {
  let process: pid_t
  private let output: Int32
  private let input: Int32?
  private var unread: [UInt8] = []

  /// Starts the helper executable, which is built next to the test bundle.
  init(_ arguments: [String], takesInput: Bool = false) throws {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = (tests as NSString).deletingLastPathComponent + "/DocumentWriter"
    var ends: [Int32] = [0, 0]
    var inputs: [Int32] = [0, 0]
    guard pipe(&ends) == 0, pipe(&inputs) == 0 else { throw POSIXError(.EMFILE) }
    for end in ends + inputs { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    if takesInput { posix_spawn_file_actions_adddup2(&actions, inputs[0], 0) }
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var identifier: pid_t = 0
    let result = posix_spawn(&identifier, path, &actions, nil, &words, environ)
    close(ends[1])
    close(inputs[0])
    if !takesInput { close(inputs[1]) }
    guard result == 0 else {
      close(ends[0])
      if takesInput { close(inputs[1]) }
      throw POSIXError(POSIXErrorCode(rawValue: result) ?? .ENOENT)
    }
    (process, output, input) = (identifier, ends[0], takesInput ? inputs[1] : nil)
  }

  deinit {
    // If a test failed before it killed the process, the process would hold the tests' output open,
    // and the test runner would wait for it forever.
    var status: Int32 = 0
    if waitpid(process, &status, WNOHANG) == 0 {
      _ = Foundation.kill(process, SIGKILL)
      _ = waitpid(process, &status, 0)
    }
    close(output)
    if let input { close(input) }
  }

  /// Sends a line to a process that takes input.
  func say(_ line: String) {
    guard let input else { return }
    let bytes = Array((line + "\n").utf8)
    _ = write(input, bytes, bytes.count)
  }

  /// Returns the next line of the process's output, or nil if it has ended.
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

  /// Kills the process with `SIGKILL` and waits for it to end.
  func kill() {
    _ = Foundation.kill(process, SIGKILL)
    wait()
  }

  /// Waits for the process to end and reaps it.
  func wait() {
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 && errno == EINTR {}
  }
}
