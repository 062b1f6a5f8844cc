import Foundation
import LarderModel
import LarderJournal
import LarderStores

/// All bytes of a file, or of standard input: a value that is going to be written.
struct WholeInput {
  private let path: String?
  private static let pieceSize = 1 << 20
  /// No store holds one value of so many bytes, which has to be in memory as a whole.
  private static let maximumSize = 2 << 30
  /// The most that is read of what does not tell its size, as it may have no end.
  private static let maximumStream = 64 << 20

  /// Names a file, or standard input with nil.
  init(_ path: String?) {
    self.path = path
  }

  /// Reads it to its end; Ctrl-C ends the process, as nothing is written yet.
  ///
  /// - Throws: `Failure` where it cannot be read, or has more than can be written.
  func read(_ arguments: Arguments) throws -> [UInt8] {
    let descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    guard descriptor >= 0 else { throw unreadable }
    defer { if path != nil { close(descriptor) } }
    let task = LongTask("read", counting: .bytes, arguments)
    defer { task.end() }
    let journal = arguments.journal
    var limit = journal?.limit ?? Self.maximumSize
    task.endsAtOnce { "nothing was written" }
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

  /// That it is not read any further; it may have no end.
  private func tooLarge(_ limit: Int, isRecorded: Bool) -> Failure {
    let name = path ?? "standard input"
    let size = "\(name) has more than \(isRecorded ? "the " : "")\(limit >> 20) MiB"
    guard isRecorded else {
      return Failure(
        .store,
        "\(size), too much for one value; nothing was written. --file takes more from a file")
    }
    return Failure(
      StoreError.journal(
        "\(size) that the journal keeps; nothing was written. --no-journal writes, but the change cannot "
          + "be undone"
      ))
  }

  private var unreadable: Failure {
    Failure.usage(
      "\(path ?? "standard input") cannot be read; check the path and its permissions")
  }
}
