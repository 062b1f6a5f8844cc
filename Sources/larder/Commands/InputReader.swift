import Foundation
import LarderModel
import LarderOperations
import LarderJournal
import LarderStores

/// The entire contents of a file or standard input, as a value to be written.
struct InputReader {
  private let path: String?
  private static let pieceSize = 1 << 20
  /// The maximum size of a value: no store holds larger ones, and it has to fit into memory.
  private static let maximumSize = 2 << 30
  /// The maximum size of input of unknown length, which may be endless.
  private static let maximumStream = 64 << 20

  /// Creates an input from the path of a file; nil for standard input.
  init(_ path: String?) {
    self.path = path
  }

  /// Reads to the end.
  ///
  /// Ctrl-C ends the process, as nothing has been written yet.
  ///
  /// - Throws: `Failure` if the input cannot be read or is too large to write.
  func read(_ arguments: Arguments) throws -> [UInt8] {
    let descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    guard descriptor >= 0 else { throw unreadable }
    defer { if path != nil { close(descriptor) } }
    let task = LongTask("read", counting: .bytes, arguments)
    defer { task.end() }
    let journal = arguments.journal
    var limit = journal?.limit ?? Self.maximumSize
    task.endsAtOnce { OperationFailure.nothingWritten }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    var bytes: [UInt8] = []
    if !isFile { limit = min(limit, Self.maximumStream) }
    if isFile {
      task.progress.expect(Int(status.st_size))
      guard status.st_size <= limit else { throw tooLarge(limit, isRecorded: journal != nil) }
      bytes.reserveCapacity(Int(status.st_size))
    }
    var piece = [UInt8](repeating: 0, count: Self.pieceSize)
    while true {
      let count = Foundation.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= limit else { throw tooLarge(limit, isRecorded: journal != nil) }
      bytes += piece[..<count]
      task.progress.add(count)
    }
  }

  /// Returns the error for input that exceeds a limit.
  private func tooLarge(_ limit: Int, isRecorded: Bool) -> Failure {
    isRecorded ? .tooLargeForJournal(name, limit: limit) : .tooLarge(name, limit: limit)
  }

  private var unreadable: Failure { .unreadableInput(name) }

  /// The name in messages.
  private var name: String { path ?? EntryLineReader.standardInput }
}
