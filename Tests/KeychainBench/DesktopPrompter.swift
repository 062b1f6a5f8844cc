#if Keychain
import Foundation
import TestPrograms

/// Answers the password prompts of a keychain, as the desktop's dialog would, until it is
/// deallocated.
package final class DesktopPrompter: Sendable {
  private let child: ChildProcess
  private let log: String

  /// Starts to answer prompts.
  ///
  /// - Parameters:
  ///   - bench: The keychain.
  ///   - answers: The answers to successive prompts; further prompts are dismissed. Nil leaves all
  ///     prompts open.
  /// - Throws: ``ProgramError`` if the prompter cannot be built or run.
  package init(_ bench: KeychainBench, typing answers: [String]?) throws {
    log = "\(bench.folder)/\(UUID().uuidString)"
    child = try ChildProcess(
      try Self.program.get(), answers ?? ["--silent"], environment: bench.environment, output: log)
    let log = log
    try waitUntil("questions are answered") { Self.lines(log).first == "ready" }
  }

  deinit {
    child.signal(SIGKILL)
    child.wait()
  }

  /// The number of password prompts so far.
  package var questions: Int { Self.lines(log).count { $0 == "PerformPrompt" } }

  private static func lines(_ log: String) -> [Substring] {
    String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
      .split(separator: "\n")
  }

  /// The path of the prompter, built once per process.
  private static let program = Result {
    let file = FileManager.default.temporaryDirectory.appending(path: "prompter-\(getpid())").path
    let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "prompter.c")
    let outcome = try ProgramOutcome(
      running: [
        "sh", "-c", "exec clang -Wall -o \"$1\" \"$0\" $(pkg-config --cflags --libs gio-2.0) -ldl",
        source.path, file,
      ])
    guard outcome.status == 0 else {
      throw ProgramError(String(decoding: outcome.errors, as: UTF8.self))
    }
    atexit {
      unlink(FileManager.default.temporaryDirectory.appending(path: "prompter-\(getpid())").path)
    }
    return file
  }
}
#endif
