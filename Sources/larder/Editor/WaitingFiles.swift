import Foundation
import Synchronization

/// Files of editors that have returned but may still be running in the background.
final class WaitingFiles: Sendable {
  private let files = Mutex<[(file: ScratchFile, bytes: [UInt8], hold: Int32)]>([])

  /// Keeps a file until larder exits, locked so that other processes of larder see it in use.
  func add(_ file: ScratchFile, _ bytes: [UInt8]) {
    files.withLock { $0.append((file, bytes, file.hold())) }
  }

  /// Removes the files that have not changed.
  ///
  /// - Returns: Sentences with the paths of the remaining files.
  func finish() -> [String] {
    files.withLock { files in
      defer { files = [] }
      return files.filter { file, bytes, hold in
        if hold >= 0 { close(hold) }
        return !file.remove(ifStill: bytes, isEnd: true)
      }
      .map { Messages.keptText($0.file.path) }
    }
  }
}
