import Foundation

/// An open file, closed when the value ends.
struct OpenFile: ~Copyable {
  let descriptor: Int32

  /// What errors call the file.
  let path: String

  /// Opens a file, which other programs that this one starts do not inherit.
  ///
  /// - Parameters:
  ///   - path: Where the file is.
  ///   - flags: How to open it.
  ///   - action: What to say if that fails.
  ///   - name: What errors call the file if not by its path, as one that has yet to get its name.
  /// - Throws: ``CoreError/Failed``.
  init(
    _ path: String, _ flags: Int32, _ action: String = "open", as name: String? = nil
  ) throws {
    guard !path.utf8.contains(0) else {
      throw CoreError.IllegalArgument("The path \(PathName(path)) holds a zero byte")
    }
    let opened = Files.retrying { open(path, flags | O_CLOEXEC, 0o600) }
    guard opened >= 0 else { throw Files.failure(action, name ?? path) }
    descriptor = opened
    self.path = name ?? path
  }

  /// Opens a file for reading; nil if there is none.
  init?(ifPresent path: String) throws {
    guard !path.utf8.contains(0) else { return nil }
    // A pipe in the place of a file must not keep the reader waiting.
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

  /// What the system knows about the file.
  func stamp() throws -> FileStamp {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Files.failure("look at", path) }
    return FileStamp(status)
  }

  /// Reads bytes from a place on.
  ///
  /// - Parameters:
  ///   - offset: The first byte.
  ///   - count: How many bytes at most; nil for all.
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

  /// Writes bytes behind those that were written before, or at the end if the file was opened so.
  func write(_ bytes: some Collection<UInt8>) throws {
    let isDone: Void? = try bytes.withContiguousStorageIfAvailable { try write(buffer: $0) }
    if isDone == nil { try Array(bytes).withUnsafeBufferPointer { try write(buffer: $0) } }
  }

  /// Waits until the bytes of the file would survive a loss of power.
  func synchronize() throws {
    // Unlike fsync it leaves out the time of the change, and so a second trip to the disk.
    guard Files.retrying({ fdatasync(descriptor) }) == 0 else { throw Files.failure("save", path) }
  }

  /// Cuts the file off.
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

/// What tells whether a file is still the one that was seen.
struct FileStamp: Equatable, Sendable {
  let device: UInt
  let node: UInt
  let size: Int
  private let seconds: Int
  private let nanoseconds: Int
  let isRegular: Bool
  let isDirectory: Bool
  /// Who may do what with the file.
  let mode: mode_t
  let owner: uid_t
  let group: gid_t

  init(_ status: stat) {
    device = UInt(status.st_dev)
    node = UInt(status.st_ino)
    size = Int(status.st_size)
    // Its fields belong to a module that cannot be imported by name.
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

  /// Looks at the file of a path; nil if there is none.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// When the bytes were last changed.
  var modified: Date {
    Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9)
  }

  func isSameFile(as other: FileStamp) -> Bool {
    node == other.node && device == other.device
  }
}
