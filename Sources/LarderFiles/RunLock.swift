package import Foundation
import Harmony
import Synchronization

/// The lock that tells whether the larder that began something is still running.
///
/// Each run that writes locks one byte of a shared file, at an offset drawn at random, which is also
/// the name of the run. The system releases the lock however the run ends, and shows it to every
/// process that can reach the file. Process numbers do not do that: containers that share a home
/// folder count their own.
///
/// Versions before named a run by its process number and when that was started, as in `1234:567890`.
/// They take no lock, and may run beside this one.
///
/// Some network file systems have no locks, so that larder cannot tell whether a run has ended. There
/// every run counts as running, and its changes and drafts are left alone.
///
/// The file is empty and is never removed, or two runs could hold locks on two files of one name.
package final class RunLock: Sendable {
  /// The name of the run: 16 hexadecimal digits.
  package let name: String
  private let path: String
  private let calls: RunLockCalls
  private let offset: off_t
  /// The descriptor that has the lock; nil until something is begun.
  private let held = Mutex<Int32?>(nil)

  // The calls of <fcntl.h> that Swift does not see: locks that belong to a descriptor.
  private static let (ask, set): (Int32, Int32) = (36, 37)

  /// Prepares the lock of a run; no file is made yet.
  ///
  /// - Parameters:
  ///   - folder: The folder of the file that runs share.
  ///   - calls: The system calls, which tests replace.
  package init(in folder: String, calls: RunLockCalls = RunLockCalls()) {
    path = folder + "/running.lock"
    self.calls = calls
    offset = .random(in: 1..<off_t.max)
    let digits = String(offset, radix: 16)
    name = String(repeating: "0", count: 16 - digits.count) + digits
  }

  deinit {
    held.withLock { if let number = $0 { close(number) } }
  }

  /// Takes the lock, which lasts as long as this object.
  ///
  /// On a file system without locks this run works without one, and others take it for running.
  ///
  /// - Throws: `FileFailure`, or `TrustedPath.Refusal` where others can write the file.
  package func take() throws {
    try held.withLock { held in
      guard held == nil else { return }
      let number = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
      guard number >= 0 else { throw FileFailure(errno) }
      do {
        try TrustedPath.check(descriptor: number, path)
        var range = range
        guard calls.control(number, Self.set, &range) == 0 || Self.isWithoutLocks(errno) else {
          throw FileFailure(errno)
        }
      } catch {
        close(number)
        throw error
      }
      held = number
    }
  }

  /// Whether the run of a name has not ended; also where that cannot be found out.
  package func isRunning(_ name: String) -> Bool {
    if name == self.name { return true }
    if name.utf8.contains(UInt8(ascii: ":")) { return Self.isProcessRunning(name) }
    guard name.utf8.count == 16, let offset = off_t(name, radix: 16), offset > 0 else {
      return false
    }
    let number = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { return errno != ENOENT }
    defer { close(number) }
    var found = Self.range(at: offset)
    guard calls.control(number, Self.ask, &found) == 0 else { return true }
    return found.l_type != Int16(F_UNLCK)
  }

  /// Whether the process of a run of an earlier version, `1234:567890`, is still running.
  private static func isProcessRunning(_ name: String) -> Bool {
    let parts = name.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let number = pid_t(parts[0]), number > 0,
      kill(number, 0) == 0 || errno == EPERM
    else { return false }
    guard let bytes = try? Data(contentsOf: URL(filePath: "/proc/\(number)/stat")),
      // The name of the program comes before, and may hold anything.
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return true }
    let fields = String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    // The state and the start time are fields 3 and 22 of proc(5); a zombie has ended.
    guard fields.count > 19 else { return true }
    return fields[0] != "Z" && fields[19] == parts[1]
  }

  /// Whether a number of an error says that a file system has no such locks.
  private static func isWithoutLocks(_ number: Int32) -> Bool {
    [EINVAL, ENOLCK, ENOTSUP, ENOSYS].contains(number)
  }

  private var range: flock { Self.range(at: offset) }

  private static func range(at offset: off_t) -> flock {
    flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: offset, l_len: 1, l_pid: 0)
  }
}

/// The system calls of locks, which tests replace.
package struct RunLockCalls: Sendable {
  /// `fcntl` with a lock.
  package let control: @Sendable (Int32, Int32, UnsafeMutablePointer<flock>) -> Int32

  /// Creates calls of the system, or others.
  package init(
    control: @escaping @Sendable (Int32, Int32, UnsafeMutablePointer<flock>) -> Int32 = {
      fcntl($0, $1, $2)
    }
  ) {
    self.control = control
  }
}
