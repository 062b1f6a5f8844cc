import Foundation
import Synchronization

/// Files of editors that have returned and may go on in the background, until larder ends.
final class WaitingFiles: Sendable {
  private let files = Mutex<[(file: ScratchFile, bytes: [UInt8], hold: Int32)]>([])

  /// Leaves a file where it is for now; other runs of larder see that it is in use.
  func add(_ file: ScratchFile, _ bytes: [UInt8]) {
    files.withLock { $0.append((file, bytes, file.hold())) }
  }

  /// Removes the files that nobody has changed.
  ///
  /// - Returns: Where the others are, as sentences.
  func finish() -> [String] {
    files.withLock { files in
      defer { files = [] }
      return files.filter { file, bytes, hold in
        if hold >= 0 { close(hold) }
        return !file.remove(ifStill: bytes, isEnd: true)
      }
      .map { "what your editor left is kept in \($0.file.path)" }
    }
  }
}
