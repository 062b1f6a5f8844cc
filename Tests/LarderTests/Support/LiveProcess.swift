import Foundation

/// A process that shows live sources, and that a test ends and starts again.
final class LiveProcess {
  private let folder: String
  private var process: Process?

  init() throws {
    // Short, as the paths of sockets have to be.
    folder = "/tmp/live-" + UUID().uuidString.prefix(12)
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var socket: String { folder + "/live.sock" }
  var location: String { "unix:" + socket }
  var number: pid_t { process?.processIdentifier ?? 0 }

  /// Starts it, and returns once it can be asked.
  func start() throws {
    let new = Process()
    new.executableURL = URL(filePath: Shell.larder)
    new.arguments = ["demo", "--live", folder]
    let output = Pipe()
    new.standardOutput = output
    new.standardInput = FileHandle.nullDevice
    try new.run()
    process = new
    let line = output.fileHandleForReading.availableData
    guard String(decoding: line, as: UTF8.self) == location + "\n" else {
      throw ScratchError(text: "larder demo --live does not listen")
    }
  }

  func signal(_ number: Int32) {
    guard let process else { return }
    Foundation.kill(process.processIdentifier, number)
  }

  /// Ends it at once, as a crash does.
  func kill() {
    guard let process, process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// How it ended, after a signal that it hears.
  func end(_ number: Int32) -> Int32? {
    guard let process else { return nil }
    Foundation.kill(process.processIdentifier, number)
    process.waitUntilExit()
    return process.terminationStatus
  }
}
