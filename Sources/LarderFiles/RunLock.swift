package import Foundation
import Harmony
import Synchronization

/// A lock that tells other processes whether the run of larder that started an operation is still
/// alive.
///
/// Each run that writes locks one byte of a shared file, at a random offset, which is also the name
/// of the run. The system releases the lock however the run ends, and every process that can open
/// the file can see it. A process identifier would not do: containers that share a home folder
/// number their processes independently.
///
/// Earlier versions named a run by its process identifier and start time, as in `1234:567890`. They
/// take no lock, and may run at the same time as this one.
///
/// Some network file systems do not support locks, so larder cannot tell whether a run has ended.
/// There, every run is considered running, and its changes and drafts are left alone.
///
/// The file is empty and never removed; otherwise two runs could hold locks on different files of
/// the same name.
package final class RunLock: Sendable {
  /// The name of the run: 16 hexadecimal digits.
  package let name: String
  private let path: String
  private let calls: RunLockCalls
  private let offset: off_t
  /// The descriptor that holds the lock, or nil until ``take()`` is called.
  private let held = Mutex<Int32?>(nil)

  // Open file description locks: the constants of <fcntl.h> that Swift does not import.
  private static let (ask, set): (Int32, Int32) = (36, 37)

  /// Creates the lock of a run, without creating its file.
  ///
  /// - Parameters:
  ///   - folder: The folder of the file that all runs share.
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

  /// Takes the lock, which is held as long as this object lives.
  ///
  /// On a file system without locks the run continues without one, and other runs consider it
  /// running.
  ///
  /// - Throws: `FileFailure`, or `TrustedPath.Refusal` if others can write to the file.
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

  /// Returns whether the named run is still alive, or true if that cannot be determined.
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

  /// Returns whether the process of a run of an earlier version, such as `1234:567890`, is alive.
  private static func isProcessRunning(_ name: String) -> Bool {
    let parts = name.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let number = pid_t(parts[0]), number > 0,
      kill(number, 0) == 0 || errno == EPERM
    else { return false }
    guard let bytes = try? Data(contentsOf: URL(filePath: "/proc/\(number)/stat")),
      // The program name in parentheses comes first, and may contain any character.
      let end = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return true }
    let fields = String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    // The state and the start time are fields 3 and 22 of proc(5); a zombie has ended.
    guard fields.count > 19 else { return true }
    return fields[0] != "Z" && fields[19] == parts[1]
  }

  /// Returns whether an error number means that the file system does not support such locks.
  private static func isWithoutLocks(_ number: Int32) -> Bool {
    [EINVAL, ENOLCK, ENOTSUP, ENOSYS].contains(number)
  }

  private var range: flock { Self.range(at: offset) }

  private static func range(at offset: off_t) -> flock {
    flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: offset, l_len: 1, l_pid: 0)
  }
}

/// The system calls for locks, which tests replace.
package struct RunLockCalls: Sendable {
  /// The `fcntl` call with a lock.
  package let control: @Sendable (Int32, Int32, UnsafeMutablePointer<flock>) -> Int32

  /// Creates the calls, by default those of the system.
  package init(
    control: @escaping @Sendable (Int32, Int32, UnsafeMutablePointer<flock>) -> Int32 = {
      fcntl($0, $1, $2)
    }
  ) {
    self.control = control
  }
}
