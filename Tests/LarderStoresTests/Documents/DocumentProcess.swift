import Foundation
import Synchronization

/// The process that writes to documents, built beside these tests.
struct DocumentProcess: ~Copyable {
  private let process = Process()
  private let pipe = Pipe()
  private var unread: [UInt8] = []

  /// Starts the process.
  init(_ arguments: [String]) throws {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process.executableURL = URL(filePath: tests).deletingLastPathComponent()
      .appending(path: "DocumentWriter")
    process.arguments = arguments
    process.standardOutput = pipe
    try process.run()
    try pipe.fileHandleForWriting.close()
  }

  /// The next line that the process says; nil if it has ended.
  mutating func line() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let data = pipe.fileHandleForReading.availableData
      guard !data.isEmpty else { return nil }
      unread += data
    }
  }

  /// Kills the process, by the signal that it cannot notice, and waits for its end.
  func kill() {
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Waits for the end of the process.
  func wait() {
    process.waitUntilExit()
  }
}
