import LarderFiles
import Foundation

/// The output and exit code of a program.
struct Outcome: Sendable {
  let output: [UInt8]
  let errors: String
  let code: Int32

  /// Standard output as text.
  var text: String { String(decoding: output, as: UTF8.self) }
  /// The lines of standard output.
  var lines: [String] {
    var lines = text.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}

/// Runs programs to completion.
enum Shell {
  /// The path of the `larder` built with the tests.
  static let larder: String = {
    let tests = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    return tests.appending(path: "larder").path
  }()

  /// A folder for journals, so that the user's own is not touched.
  private static let state = StateFolder()

  /// Runs a program with input and returns all of its output.
  static func run(
    _ program: String, _ arguments: [String], input: [UInt8] = [],
    environment: [String: String] = [:], folder: String? = nil
  ) throws -> Outcome {
    // Uses files, as an unread pipe would block the program, and not Foundation's Process, which
    // waits for daemons that the program leaves behind, such as tmux's.
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let files = ["in", "out", "err"].map { place.appending(path: $0).path }
    try Data(input).write(to: URL(filePath: files[0]))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, file) in files.enumerated() {
      let mode = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT
      posix_spawn_file_actions_addopen(&actions, Int32(number), file, mode, 0o600)
    }
    var settings =
      [
        "LC_ALL=C.UTF-8", "TZ=UTC", "XDG_STATE_HOME=\(state.path)",
        "XDG_CONFIG_HOME=\(state.path)/settings",
      ]
      + environment.map { "\($0.key)=\($0.value)" }
    if let folder { settings = ["-C", folder] + settings }
    let status = try spawn("env", settings + [program] + arguments, &actions)
    return Outcome(
      output: Array(try Data(contentsOf: URL(filePath: files[1]))),
      errors: String(decoding: try Data(contentsOf: URL(filePath: files[2])), as: UTF8.self),
      code: status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F))
  }

  /// Starts a program, waits for its end and returns its status.
  private static func spawn(
    _ program: String, _ arguments: [String], _ actions: inout posix_spawn_file_actions_t
  ) throws -> Int32 {
    let words = ([program] + arguments).map { strdup($0) }
    defer { words.forEach { free($0) } }
    var child = pid_t()
    guard posix_spawnp(&child, program, &actions, nil, words + [nil], environ) == 0 else {
      throw ScratchError(text: "\(program) cannot be run")
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Returns the commands that `larder help` lists, with their summaries.
  static func commands() throws -> [(name: String, summary: String)] {
    try larder("help").lines.prefix { !$0.hasPrefix("Common options") }.compactMap { line in
      let words = line.split(separator: " ", maxSplits: 1)
      guard line.hasPrefix("  "), words.count == 2 else { return nil }
      return (String(words[0]), words[1].trimmingCharacters(in: .whitespaces))
    }
  }

  /// Runs larder.
  static func larder(
    _ arguments: String..., and more: [String] = [], input: String = "",
    environment: [String: String] = [:], folder: String? = nil
  ) throws -> Outcome {
    try run(
      larder, arguments + more, input: Array(input.utf8), environment: environment, folder: folder)
  }
}

/// A folder that is removed when the process ends.
private struct StateFolder {
  let path = FileManager.default.temporaryDirectory.appending(path: "larder-state-\(getpid())").path

  init() {
    atexit {
      let path = FileManager.default.temporaryDirectory.appending(path: "larder-state-\(getpid())")
      try? FileManager.default.removeItem(at: path)
    }
  }
}

/// A folder for one test, removed with it.
final class Scratch {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns a path in the folder.
  func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file in the folder and returns its path.
  func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    try Data(bytes).write(to: URL(filePath: file(name)))
    return file(name)
  }

  /// Makes the database `test.db` with the `sqlite3` shell.
  func database(_ sql: String) throws -> String {
    try database("test.db", sql)
  }

  /// Makes a database with a name with the `sqlite3` shell.
  func database(_ name: String, _ sql: String) throws -> String {
    let outcome = try Shell.run("sqlite3", [file(name)], input: Array(sql.utf8))
    guard outcome.code == 0 else { throw ScratchError(text: outcome.errors) }
    return file(name)
  }

  /// Returns the lines that the `sqlite3` shell prints for a query.
  func query(_ database: String, _ sql: String) throws -> [String] {
    try Shell.run("sqlite3", [database, sql]).lines
  }
}

/// An error while preparing a test's folder.
struct ScratchError: Error {
  let text: String
}
