import Foundation

/// Another process, which changes a store behind everybody's back.
enum Outsider {
  /// Runs a program to its end.
  static func run(_ words: String..., folder: String? = nil) throws {
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    other.arguments = words
    if let folder { other.currentDirectoryURL = URL(fileURLWithPath: folder) }
    other.standardOutput = FileHandle.nullDevice
    try other.run()
    other.waitUntilExit()
    guard other.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Runs a script of Python's in a folder.
  static func python(_ script: String, in folder: TestFolder) throws {
    try run("python3", "-c", script, folder: folder.path)
  }
}
