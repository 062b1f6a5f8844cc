import Foundation

/// An open file that is only read, a stretch at a time.
///
/// Nothing is mapped into memory: whoever opens a Realm first may cut the file to its logical size,
/// and a page that is gone would end the process by a signal. A read there just comes back short.
final class RealmDescriptor: Sendable {
  private let descriptor: Int32
  /// Which file it is, whatever is renamed over its name.
  let identity: Identity

  struct Identity: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  init(path: String) throws(RealmError) {
    // Not to wait for the other end of what turns out to be a pipe.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw RealmError(.cannotOpen, "cannot be opened: \(Self.reason(errno))")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw RealmError(.cannotOpen, "is not a file")
    }
    identity = Identity(status)
  }

  deinit {
    close(descriptor)
  }

  /// What lies under the path now; nil where nothing can be seen.
  static func identity(of path: String) -> Identity? {
    var status = stat()
    return stat(path, &status) == 0 ? Identity(status) : nil
  }

  /// How many bytes the file has at this moment.
  func size() throws(RealmError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size >= 0 else {
      throw RealmError(.cannotOpen, "cannot be read: \(Self.reason(errno))")
    }
    return Int(status.st_size)
  }

  /// Fills memory from a place in the file.
  ///
  /// - Returns: How many bytes there were, fewer only at the end of the file.
  /// - Throws: ``RealmError`` for what the system says.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RealmError) -> Int {
    var done = 0
    while done < buffer.count, let base = buffer.baseAddress {
      let count = pread(descriptor, base + done, buffer.count - done, off_t(offset + done))
      if count < 0 {
        if errno == EINTR { continue }
        throw RealmError(.cannotOpen, "cannot be read: \(Self.reason(errno))")
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// The bytes at a place, all of them.
  ///
  /// - Throws: ``RealmError`` where the file ends before.
  func bytes(at offset: Int, count: Int) throws(RealmError) -> [UInt8] {
    let bytes = try available(at: offset, count: count)
    guard bytes.count == count else {
      throw .corrupt("the file ends at byte \(offset + bytes.count), inside of what it refers to")
    }
    return bytes
  }

  /// The bytes at a place, as many of them as there are.
  func available(at offset: Int, count: Int) throws(RealmError) -> [UInt8] {
    var failure: RealmError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(RealmError) {
        initialized = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
