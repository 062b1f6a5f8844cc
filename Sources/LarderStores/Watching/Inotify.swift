import LarderFiles
import Foundation

/// The kernel's notifications about changes to folders and files, which end when the object is
/// deinitialized.
///
/// The descriptor is readable while notifications are pending. Watching does not open files, so it
/// does not affect any locks.
final class Inotify: Sendable {
  /// A notification about a change.
  struct Event {
    /// The watch descriptor.
    let watch: Int32
    let mask: UInt32
    /// The name of the file inside a watched folder; empty for a watched folder or file itself.
    let name: [UInt8]

    /// Whether the kernel's queue overflowed, so that anything may have changed.
    var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
    /// Whether the notification is about a folder that was created, moved or deleted.
    var isAboutFolder: Bool { mask & UInt32(IN_ISDIR) != 0 }
    /// Whether the notification only states that a watch has ended.
    var isEnd: Bool { mask & UInt32(IN_IGNORED) != 0 }
  }

  let descriptor: Int32

  /// Creates an instance without watches, or returns nil if the system does not provide one.
  init?() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  private static let contents = UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE)
  private static let names =
    UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
  private static let itself = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)

  /// Watches a folder and the files directly inside it.
  ///
  /// - Returns: The watch descriptor.
  /// - Throws: `FileFailure` if the folder does not exist, or the limit of watches is reached.
  func add(folder: [UInt8], followsLink: Bool = true) throws(FileFailure) -> Int32 {
    let last = UInt32(IN_ONLYDIR) | (followsLink ? 0 : UInt32(IN_DONT_FOLLOW))
    return try add(folder, Self.contents | Self.names | Self.itself | last)
  }

  /// Watches a file, whichever of its hard links it is written through.
  func add(file: [UInt8]) throws(FileFailure) -> Int32 {
    try add(file, Self.contents | Self.itself)
  }

  private func add(_ path: [UInt8], _ mask: UInt32) throws(FileFailure) -> Int32 {
    let number = path.withCString { inotify_add_watch(descriptor, $0, mask) }
    guard number >= 0 else { throw FileFailure(errno) }
    return number
  }

  /// Returns all pending notifications.
  func take() -> [Event] {
    var events: [Event] = []
    let size = 1 << 16
    let header = MemoryLayout<inotify_event>.size
    withUnsafeTemporaryAllocation(
      byteCount: size, alignment: MemoryLayout<inotify_event>.alignment
    ) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, size)
        guard count > 0 else { return }
        var start = 0
        // The kernel writes complete events, whose names are padded with zeros.
        while start + header <= count {
          let event = buffer.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
          let end = min(count, start + header + Int(event.len))
          let name = buffer[(start + header)..<end].prefix { $0 != 0 }
          events.append(Event(watch: event.wd, mask: event.mask, name: Array(name)))
          start = end
        }
      }
    }
    return events
  }
}
