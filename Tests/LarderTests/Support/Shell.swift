import Foundation

/// What a program printed, and how it ended.
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

/// Runs programs to their end.
enum Shell {
  /// The `larder` that was built with the tests.
  static let larder: String = {
    let tests = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    return tests.appending(path: "larder").path
  }()

  /// Runs a program with some input and takes in all that it prints.
  static func run(
    _ program: String, _ arguments: [String], input: [UInt8] = [],
    environment: [String: String] = [:], folder: String? = nil
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    var variables = ProcessInfo.processInfo.environment
    variables["LC_ALL"] = "C.UTF-8"
    variables["TZ"] = "UTC"
    process.environment = variables.merging(environment) { $1 }
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    // Files rather than pipes: a pipe that nobody reads would stop the program.
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let files = ["in", "out", "err"].map { place.appending(path: $0) }
    try Data(input).write(to: files[0])
    for file in files[1...] { try Data().write(to: file) }
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    process.waitUntilExit()
    return Outcome(
      output: Array(try Data(contentsOf: files[1])),
      errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self),
      code: process.terminationStatus)
  }

  /// Runs larder.
  static func larder(
    _ arguments: String..., input: String = "", environment: [String: String] = [:],
    folder: String? = nil
  ) throws -> Outcome {
    try run(
      larder, arguments, input: Array(input.utf8), environment: environment, folder: folder)
  }
}

/// A folder of a test's own, which goes with the test.
final class Scratch {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A path in the folder.
  func file(_ name: String) -> String { path + "/" + name }

  /// A file in the folder with some bytes.
  func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    try Data(bytes).write(to: URL(filePath: file(name)))
    return file(name)
  }

  /// A database in the folder, made by the `sqlite3` shell.
  func database(_ name: String = "test.db", _ sql: String) throws -> String {
    let outcome = try Shell.run("sqlite3", [file(name)], input: Array(sql.utf8))
    guard outcome.code == 0 else { throw ScratchError(text: outcome.errors) }
    return file(name)
  }

  /// What the `sqlite3` shell answers.
  func query(_ database: String, _ sql: String) throws -> [String] {
    try Shell.run("sqlite3", [database, sql]).lines
  }
}

/// Why a test's folder could not be filled.
struct ScratchError: Error {
  let text: String
}
