package import Foundation

/// What a program printed, and how it ended.
package struct ProgramOutcome: Sendable {
  package let output: Data
  package let errors: Data
  package let status: Int32

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - words: Its name and what it is called with.
  ///   - input: What it reads.
  ///   - folder: Where it runs; nil where the tests do.
  /// - Throws: ``ProgramError`` where the program is not there, and why files cannot be written.
  package init(
    running words: [String], input: [UInt8] = [], in folder: String? = nil
  ) throws {
    // Files rather than pipes: a pipe that nobody reads would stop the program.
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
