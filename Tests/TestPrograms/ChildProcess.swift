package import Foundation

/// A child process for tests.
///
/// Foundation's `Process` is not used, because it crashed test runs with hundreds of threads and a
/// thousand open files.
package final class ChildProcess: Sendable {
  /// The process identifier.
  package let identifier: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: Its name or path.
  ///   - arguments: Its arguments.
  ///   - environment: Its complete environment.
  ///   - input: The file for standard input.
  ///   - output: The file for standard output.
  ///   - errors: The file for standard error.
  /// - Throws: ``ProgramError`` if the program cannot be started.
  package init(
    _ program: String, _ arguments: [String],
    environment: [String: String] = ProcessInfo.processInfo.environment,
    input: String = "/dev/null", output: String = "/dev/null", errors: String = "/dev/null"
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    for (number, file) in [output, errors].enumerated() {
      posix_spawn_file_actions_addopen(
        &actions, Int32(number + 1), file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    let words = ([program] + arguments).map { strdup($0) }
    defer { words.forEach { free($0) } }
    let settings = environment.map { strdup("\($0.key)=\($0.value)") }
    defer { settings.forEach { free($0) } }
    var child = pid_t()
    let result = posix_spawnp(&child, program, &actions, nil, words + [nil], settings + [nil])
    guard result == 0 else {
      throw ProgramError("\(program) cannot be run, and has to be installed for these tests")
    }
    identifier = child
  }

  /// Sends a signal.
  package func signal(_ number: Int32) {
    kill(identifier, number)
  }

  /// Waits for the process to exit.
  ///
  /// - Returns: Its exit status, or 128 plus the number of the signal that killed it.
  @discardableResult
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }
}

/// An error that a program cannot run as a test requires.
package struct ProgramError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
