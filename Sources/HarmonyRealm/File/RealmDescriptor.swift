import Foundation

/// An open read-only file, which is read in parts.
///
/// It is not mapped into memory: Realm may truncate the file to its logical size when a process
/// opens it, and accessing a page that no longer exists would kill the process with a signal. A
/// read just returns fewer bytes.
final class RealmDescriptor: Sendable {
  private let descriptor: Int32
  /// The identity of the file, even if another one is renamed to its path.
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
    // Non-blocking, in case the path is that of a named pipe.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw RealmError.notOpened(Self.reason(errno))
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw RealmError.notFile
    }
    identity = Identity(status)
  }

  deinit {
    close(descriptor)
  }

  /// Returns the identity of the file at a path; nil if it does not exist or is inaccessible.
  static func identity(of path: String) -> Identity? {
    var status = stat()
    return stat(path, &status) == 0 ? Identity(status) : nil
  }

  /// Returns the current size of the file in bytes.
  func size() throws(RealmError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size >= 0 else {
      throw RealmError.notRead(Self.reason(errno))
    }
    return Int(status.st_size)
  }

  /// Fills a buffer with bytes of the file.
  ///
  /// - Returns: The number of bytes read, which is less than the size of the buffer only at the end
  ///   of the file.
  /// - Throws: ``RealmError`` if the system reports an error.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(RealmError) -> Int {
    var done = 0
    while done < buffer.count, let base = buffer.baseAddress {
      let count = pread(descriptor, base + done, buffer.count - done, off_t(offset + done))
      if count < 0 {
        if errno == EINTR { continue }
        throw RealmError.notRead(Self.reason(errno))
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Returns exactly the requested number of bytes at an offset.
  ///
  /// - Throws: ``RealmError`` if the file ends before.
  func bytes(at offset: Int, count: Int) throws(RealmError) -> [UInt8] {
    let bytes = try available(at: offset, count: count)
    guard bytes.count == count else {
      throw .cutOff(at: offset + bytes.count)
    }
    return bytes
  }

  /// Returns up to the requested number of bytes at an offset.
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
