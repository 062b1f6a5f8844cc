import Foundation
import TestPrograms

/// Another process, which changes a store behind everybody's back.
enum Outsider {
  /// Runs a program to its end.
  static func run(_ words: String..., folder: String? = nil) throws {
    let outcome = try ProgramOutcome(running: words, in: folder)
    guard outcome.status == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Runs a script of Python's in a folder.
  static func python(_ script: String, in folder: TestFolder) throws {
    try run("python3", "-c", script, folder: folder.path)
  }
}
