import LarderFiles
import Foundation

/// The notices of the kernel about folders and files; closed when it goes away.
///
/// The descriptor is readable while there are notices. Nothing is opened that is watched, so no
/// lock on it is touched.
final class Inotify: Sendable {
  /// What happened somewhere.
  struct Event {
    /// The number of what is watched.
    let watch: Int32
    private let mask: UInt32
    /// The name inside a folder that is watched; empty for the folder or the file itself.
    let name: [UInt8]

    init(watch: Int32, mask: UInt32, name: [UInt8]) {
      self.watch = watch
      self.mask = mask
      self.name = name
    }

    /// Whether there were more than the kernel keeps, so that anything may have happened.
    var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
    /// Whether it is about a folder that came or went.
    var isAboutFolder: Bool { mask & UInt32(IN_ISDIR) != 0 }
    /// Whether it says only that something is not watched any more.
    var isEnd: Bool { mask & UInt32(IN_IGNORED) != 0 }
  }

  let descriptor: Int32

  /// Begins to take notices; nil where the system has none to give.
  init?() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  private static let contents = UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE)
  private static let names =
    UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
  private static let itself = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)

  /// Watches a folder and what is directly inside.
  ///
  /// - Returns: The number of the folder.
  /// - Throws: `FileFailure` where there is no folder, or nothing more can be watched.
  func add(folder: [UInt8], followsLink: Bool = true) throws(FileFailure) -> Int32 {
    let last = UInt32(IN_ONLYDIR) | (followsLink ? 0 : UInt32(IN_DONT_FOLLOW))
    return try add(folder, Self.contents | Self.names | Self.itself | last)
  }

  /// Watches a file, under whichever of its names it is written.
  func add(file: [UInt8]) throws(FileFailure) -> Int32 {
    try add(file, Self.contents | Self.itself)
  }

  private func add(_ path: [UInt8], _ mask: UInt32) throws(FileFailure) -> Int32 {
    let number = path.withCString { inotify_add_watch(descriptor, $0, mask) }
    guard number >= 0 else { throw FileFailure(errno) }
    return number
  }

  /// Takes all notices that are there.
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
        // The kernel writes whole events, each with its name filled up with zeros.
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
