import Foundation
import Harmony
import Synchronization

/// The lock that tells whether the larder that began something is still running.
///
/// Each run that writes locks one byte of a shared file, at an offset drawn at random, which is also
/// the name of the run. The system releases the lock however the run ends, and shows it to every
/// process that can reach the file. Process numbers do not do that: containers that share a home
/// folder count their own.
///
/// The file is empty and is never removed, or two runs could hold locks on two files of one name.
final class RunLock: Sendable {
  /// The name of the run: 16 hexadecimal digits.
  let name: String
  private let path: String
  private let offset: off_t
  /// The descriptor that has the lock; nil until something is begun.
  private let held = Mutex<Int32?>(nil)

  // The calls of <fcntl.h> that Swift does not see: locks that belong to a descriptor.
  private static let (ask, set): (Int32, Int32) = (36, 37)

  /// Prepares the lock of a run; no file is made yet.
  ///
  /// - Parameter folder: The folder of the file that runs share.
  init(in folder: String) {
    path = folder + "/running.lock"
    offset = .random(in: 1..<off_t.max)
    let digits = String(offset, radix: 16)
    name = String(repeating: "0", count: 16 - digits.count) + digits
  }

  deinit {
    held.withLock { if let number = $0 { close(number) } }
  }

  /// Takes the lock, which lasts as long as this object.
  ///
  /// - Throws: `FileFailure`, or `TrustedPath.Refusal` where others can write the file.
  func take() throws {
    try held.withLock { held in
      guard held == nil else { return }
      let number = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
      guard number >= 0 else { throw FileFailure(errno) }
      do {
        try TrustedPath.check(descriptor: number, path)
        var range = range
        guard fcntl(number, Self.set, &range) == 0 else { throw FileFailure(errno) }
      } catch {
        close(number)
        throw error
      }
      held = number
    }
  }

  /// Whether the run of a name has not ended; also where that cannot be found out.
  func isRunning(_ name: String) -> Bool {
    if name == self.name { return true }
    guard name.utf8.count == 16, let offset = off_t(name, radix: 16), offset > 0 else {
      return false
    }
    let number = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { return errno != ENOENT }
    defer { close(number) }
    var found = Self.range(at: offset)
    guard fcntl(number, Self.ask, &found) == 0 else { return true }
    return found.l_type != Int16(F_UNLCK)
  }

  private var range: flock { Self.range(at: offset) }

  private static func range(at offset: off_t) -> flock {
    flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: offset, l_len: 1, l_pid: 0)
  }
}
