import Foundation

/// An open file, which is closed at the end of the value's lifetime.
struct OpenFile: ~Copyable {
  let descriptor: Int32

  /// The path of the file in errors.
  let path: String

  /// Opens a file with the close-on-exec flag.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - flags: The flags of `open`.
  ///   - action: The action to report in an error.
  ///   - name: The path to report in errors if it differs, as for a temporary file.
  /// - Throws: ``CoreError/Failed``, or ``CoreError/IllegalArgument`` if the path contains a NUL
  ///   byte.
  init(
    _ path: String, _ flags: Int32, _ action: String = "open", as name: String? = nil
  ) throws {
    guard !path.utf8.contains(0) else {
      throw CoreError.IllegalArgument.zeroByte(in: path)
    }
    let opened = Files.retrying { open(path, flags | O_CLOEXEC, 0o600) }
    guard opened >= 0 else { throw Files.failure(action, name ?? path) }
    descriptor = opened
    self.path = name ?? path
  }

  /// Opens a file for reading; nil if it does not exist.
  init?(ifPresent path: String) throws {
    guard !path.utf8.contains(0) else { return nil }
    // Non-blocking, so that a named pipe at this path does not block the reader.
    let opened = Files.retrying { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0) }
    guard opened >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw Files.failure("open", path)
    }
    descriptor = opened
    self.path = path
  }

  deinit {
    close(descriptor)
  }

  /// Returns the metadata of the file.
  func stamp() throws -> FileStamp {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Files.failure("look at", path) }
    return FileStamp(status)
  }

  /// Reads bytes starting at an offset.
  ///
  /// - Parameters:
  ///   - offset: The offset of the first byte.
  ///   - count: The maximum number of bytes; nil for all.
  /// - Returns: The bytes; fewer if the file ends.
  /// - Throws: ``CoreError/Failed``.
  func read(from offset: Int = 0, count: Int? = nil) throws -> [UInt8] {
    let wanted = try count ?? max(stamp().size - offset, 0)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(wanted)
    while bytes.count < wanted {
      let start = bytes.count
      let part = try [UInt8](unsafeUninitializedCapacity: min(wanted - start, 1 << 20)) {
        buffer, filled in
        let result = Files.retrying {
          pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset + start))
        }
        guard result >= 0 else { throw Files.failure("read", path) }
        filled = result
      }
      if part.isEmpty { break }
      bytes += part
    }
    return bytes
  }

  /// Writes bytes after those written before, or at the end if the file was opened for appending.
  func write(_ bytes: some Collection<UInt8>) throws {
    let isDone: Void? = try bytes.withContiguousStorageIfAvailable { try write(buffer: $0) }
    if isDone == nil { try Array(bytes).withUnsafeBufferPointer { try write(buffer: $0) } }
  }

  /// Waits until the contents of the file would survive a power failure.
  func synchronize() throws {
    // Unlike `fsync`, this omits timestamps and thereby a second write to the disk.
    guard Files.retrying({ fdatasync(descriptor) }) == 0 else { throw Files.failure("save", path) }
  }

  /// Truncates the file.
  func truncate(to size: Int) throws {
    guard Files.retrying({ ftruncate(descriptor, off_t(size)) }) == 0 else {
      throw Files.failure("shorten", path)
    }
  }

  private func write(buffer: UnsafeBufferPointer<UInt8>) throws {
    var rest = UnsafeRawBufferPointer(buffer)
    while !rest.isEmpty {
      let written = Files.retrying { Foundation.write(descriptor, rest.baseAddress, rest.count) }
      guard written >= 0 else { throw Files.failure("write", path) }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }
}

/// The metadata that shows whether a file is still the same and unchanged.
struct FileStamp: Equatable, Sendable {
  let device: UInt
  let node: UInt
  let size: Int
  private let seconds: Int
  private let nanoseconds: Int
  let isRegular: Bool
  let isDirectory: Bool
  /// The permissions of the file.
  let mode: mode_t
  let owner: uid_t
  let group: gid_t

  init(_ status: stat) {
    device = UInt(status.st_dev)
    node = UInt(status.st_ino)
    size = Int(status.st_size)
    // The type of its fields belongs to a module that cannot be imported by name.
    (seconds, nanoseconds) = withUnsafeBytes(of: status.st_mtim) { time in
      let size = MemoryLayout<Int>.size
      return (
        time.loadUnaligned(as: Int.self), time.loadUnaligned(fromByteOffset: size, as: Int.self)
      )
    }
    mode = status.st_mode & 0o7777
    (owner, group) = (status.st_uid, status.st_gid)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isDirectory = status.st_mode & S_IFMT == S_IFDIR
  }

  /// Reads the metadata of the file at a path; nil if it does not exist.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The modification date of the contents.
  var modified: Date {
    Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9)
  }

  func isSameFile(as other: FileStamp) -> Bool {
    node == other.node && device == other.device
  }
}
