import Foundation

/// The exit code and resource usage of a program that ran to completion.
struct ChildProcess {
  /// The elapsed time from start to exit.
  let wall: Duration
  /// The processor time in user and system mode.
  let processor: Duration
  /// The peak resident memory, in bytes.
  let peakMemory: Int
  let exitCode: Int32

  /// An error that stops a measurement.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Runs a program, discarding its output.
  static func run(_ path: String, _ arguments: [String]) throws -> ChildProcess {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    let start = ContinuousClock.now
    let child = try spawn(path, arguments, actions: &actions, attributes: nil)
    return try finish(child, since: start)
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
      throw Failure(description: "\(path) cannot be run: \(String(cString: strerror(code)))")
    }
    return child
  }

  /// Waits for a started program to exit.
  static func finish(_ child: pid_t, since start: ContinuousClock.Instant) throws -> ChildProcess {
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(child, &status, 0, &usage) == child else {
      throw Failure(description: "the program cannot be waited for")
    }
    let times = [usage.ru_utime, usage.ru_stime].map {
      Duration.seconds($0.tv_sec) + .microseconds($0.tv_usec)
    }
    return ChildProcess(
      wall: ContinuousClock.now - start, processor: times[0] + times[1],
      peakMemory: usage.ru_maxrss * 1_024, exitCode: (status >> 8) & 0xFF)
  }
}
