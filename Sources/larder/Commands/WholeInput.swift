import Foundation
import LarderCore

/// All bytes of a file, or of standard input: a value that is going to be written.
struct WholeInput {
  private let path: String?
  private static let pieceSize = 1 << 20

  /// Names a file, or standard input with nil.
  init(_ path: String?) {
    self.path = path
  }

  /// Reads it to its end; Ctrl-C ends the process, as nothing is written yet.
  ///
  /// - Throws: `Failure` where it cannot be read.
  func read(_ arguments: Arguments) throws -> [UInt8] {
    let descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    guard descriptor >= 0 else { throw unreadable }
    defer { if path != nil { close(descriptor) } }
    let task = LongTask("read", counting: .bytes, arguments)
    defer { task.end() }
    task.endsAtOnce { "nothing was written" }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    var bytes: [UInt8] = []
    if isFile {
      task.progress.expect(Int(status.st_size))
      bytes.reserveCapacity(Int(status.st_size))
    }
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    while true {
      let count = Foundation.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
      task.progress.add(count)
    }
  }

  private var unreadable: Failure {
    Failure.usage(
      "\(path ?? "standard input") cannot be read; check the path and its permissions")
  }
}
