import Foundation

/// A Realm file with commits in the way of Realm.
///
/// A new state overwrites an older one, its top reference is written to the inactive slot of the
/// header, and then a bit makes that slot active.
package final class RealmCommits {
  private let descriptor: Int32
  private let count: Int
  private var version = 0

  /// The maximum size of a state in bytes; the file has space for two.
  private let room: Int
  private static let start = 4_096

  /// Creates the file with a first state; all objects store the version number.
  package init(path: String, objects count: Int) throws {
    self.count = count
    room = (count * 160 + 65_536) & ~4_095
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(.EIO) }
    let mark = [UInt8](repeating: 0, count: 16) + Array("T-DB".utf8) + [24, 24, 0, 0]
    try write(mark, at: 0)
    guard ftruncate(descriptor, off_t(fileSize)) == 0 else { throw POSIXError(.EIO) }
    try commit()
  }

  deinit {
    close(descriptor)
  }

  private var fileSize: Int { Self.start + 2 * room }

  /// Commits the next state.
  package func commit() throws {
    version += 1
    let slot = version % 2
    let place = Self.start + slot * room
    let state = try RealmSample.state(
      version: version, count: count, at: place, fileSize: fileSize)
    guard state.bytes.count <= room else { throw POSIXError(.ENOSPC) }
    // Destroy the old state first, as when Realm reuses the space for other nodes.
    try write([UInt8](repeating: 0xA5, count: state.bytes.count), at: place)
    try write(state.bytes, at: place)
    try write(RealmNodeWriter.bytes(UInt64(state.top)), at: 8 * slot)
    try write([UInt8(slot)], at: 23)
  }

  private func write(_ bytes: [UInt8], at place: Int) throws {
    guard pwrite(descriptor, bytes, bytes.count, off_t(place)) == bytes.count else {
      throw POSIXError(.EIO)
    }
  }
}
