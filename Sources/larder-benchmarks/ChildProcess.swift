import Foundation

/// The elapsed time and peak memory of a program that ran to completion.
struct ChildProcess {
  /// The elapsed time from start to exit.
  let wall: Duration
  /// The peak resident memory, in bytes; at least that of this process, whose memory the program
  /// has until it starts.
  let peakMemory: Int

  /// An error that stops a measurement.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a program without a home folder, discarding its output.
  ///
  /// - Throws: ``Failure`` if it cannot be run or fails, with what it wrote to standard error.
  static func run(_ path: String, _ arguments: [String]) throws -> ChildProcess {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let errors = Pipe()
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(
      &actions, errors.fileHandleForWriting.fileDescriptor, STDERR_FILENO)
    let start = ContinuousClock.now
    let child = try spawn(
      path, arguments, actions: &actions, attributes: nil,
      environment: ["HOME": "/nonexistent", "LC_ALL": "C.UTF-8"])
    try errors.fileHandleForWriting.close()
    let message = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    var status: Int32 = 0
    var usage = rusage()
    // Like grep, larder exits with 1 and says nothing if nothing matches.
    guard wait4(child, &status, 0, &usage) == child,
      status == 0 || status == 1 << 8 && message.isEmpty
    else {
      let command = ([path] + arguments).joined(separator: " ")
      let signal = status & 0x7F
      let cause = signal == 0 ? "exit code \(status >> 8)" : "signal \(signal)"
      throw Failure(description: "\(command) failed (\(cause))\n\(message)")
    }
    return ChildProcess(
      wall: ContinuousClock.now - start, peakMemory: usage.ru_maxrss * 1_024)
  }

  /// Starts a program without waiting for it.
  static func spawn(
    _ path: String, _ arguments: [String], actions: inout posix_spawn_file_actions_t,
    attributes: UnsafePointer<posix_spawnattr_t>?, environment: [String: String] = [:]
  ) throws -> pid_t {
    let words = ([path] + arguments).map { strdup($0) }
    let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let settings = all.map { strdup("\($0.key)=\($0.value)") }
    defer { (words + settings).forEach { free($0) } }
    var child = pid_t()
    let code = posix_spawnp(
      &child, path, &actions, attributes, words + [nil], settings + [nil])
    guard code == 0 else {
      let advice = path == "sqlite3" ? "install the package sqlite3" : "give --larder PATH"
      throw Failure(
        description: "\(path) cannot be run: \(String(cString: strerror(code))); \(advice)")
    }
    return child
  }
}
