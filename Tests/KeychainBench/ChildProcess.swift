#if Keychain
package import Foundation

/// A program that tests start, and end.
package final class ChildProcess: Sendable {
  /// The identifier of the process.
  package let identifier: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: Its name or path.
  ///   - arguments: What it is called with.
  ///   - environment: All of its environment.
  ///   - input: The file that it reads.
  ///   - output: The file that it writes.
  /// - Throws: ``BenchError`` where the program is not there.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String],
    input: String = "/dev/null", output: String = "/dev/null"
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let words = ([program] + arguments).map { strdup($0) }
    defer { words.forEach { free($0) } }
    let settings = environment.map { strdup("\($0.key)=\($0.value)") }
    defer { settings.forEach { free($0) } }
    var child = pid_t()
    let result = posix_spawnp(&child, program, &actions, nil, words + [nil], settings + [nil])
    guard result == 0 else {
      throw BenchError(text: "\(program) cannot be run, and has to be installed for these tests")
    }
    identifier = child
  }

  /// Sends a signal.
  package func signal(_ number: Int32) {
    kill(identifier, number)
  }

  /// Waits for the end of the process.
  ///
  /// - Returns: Its status; 128 and more where a signal has ended it.
  @discardableResult
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }
}

/// Why a bench cannot be made.
package struct BenchError: Error, CustomStringConvertible {
  package let text: String
  package var description: String { text }
}
#endif
