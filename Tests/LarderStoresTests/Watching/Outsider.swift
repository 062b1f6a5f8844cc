import Foundation
import TestPrograms

/// Another process that changes a store.
enum Outsider {
  /// Runs a program and waits for it.
  static func run(_ words: String..., folder: String? = nil) throws {
    let outcome = try ProgramOutcome(running: words, in: folder)
    guard outcome.status == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Runs a Python script in a folder.
  static func python(_ script: String, in folder: TestFolder) throws {
    try run("python3", "-c", script, folder: folder.path)
  }
}
