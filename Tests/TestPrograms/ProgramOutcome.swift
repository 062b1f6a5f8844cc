package import Foundation

/// The output and exit status of a program.
package struct ProgramOutcome: Sendable {
  package let output: Data
  package let errors: Data
  package let status: Int32

  /// Runs a program until it exits.
  ///
  /// - Parameters:
  ///   - words: Its name and arguments.
  ///   - input: The bytes for standard input.
  ///   - folder: The working directory; nil for that of the tests.
  /// - Throws: ``ProgramError`` if the program cannot be started, and file errors.
  package init(
    running words: [String], input: [UInt8] = [], in folder: String? = nil
  ) throws {
    // Files instead of pipes, because a program blocks on a full pipe.
    let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let files = ["in", "out", "err"].map { place.appending(path: $0) }
    try Data(input).write(to: files[0])
    let child = try ChildProcess(
      "env", (folder.map { ["-C", $0] } ?? []) + words, input: files[0].path,
      output: files[1].path, errors: files[2].path)
    status = child.wait()
    output = try Data(contentsOf: files[1])
    errors = try Data(contentsOf: files[2])
  }
}
