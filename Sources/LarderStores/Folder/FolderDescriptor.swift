import CXattr
import LarderFiles
import Foundation
import HarmonySQLite

/// An open file or directory, closed when the object is deinitialized.
///
/// Everything inside a folder is opened relative to its descriptor, one name at a time and without
/// following links, so that no path can lead out of the folder, whatever other programs do.
final class FolderDescriptor {
  let number: Int32
  let calls: FileCalls
  /// The open database that the descriptor is borrowed from, if any.
  private let lender: SQLiteFile?

  private init(_ number: Int32, _ calls: FileCalls, lender: SQLiteFile? = nil) {
    self.number = number
    self.calls = calls
    self.lender = lender
  }

  deinit {
    guard lender == nil else { return }
    // Not `close`, which would drop this process's locks if the file is a database.
    SQLiteFile.close(number)
  }

  /// Opens a folder by a path, which may contain links.
  convenience init(root path: String, calls: FileCalls = .system) throws(FileFailure) {
    try self.init(root: Array(path.utf8), calls: calls)
  }

  /// Opens a folder by a path, which may not be valid UTF-8.
  convenience init(root path: [UInt8], calls: FileCalls = .system) throws(FileFailure) {
    let number = path.withCString { Foundation.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard number >= 0 else { throw FileFailure(errno) }
    self.init(number, calls)
  }

  /// Opens a folder to access files with known names.
  ///
  /// If the folder may not be listed but only searched, operations that need to list it fail.
  convenience init(entering path: [UInt8]) throws(FileFailure) {
    do throws(FileFailure) {
      try self.init(root: path)
    } catch {
      guard error.number == EACCES else { throw error }
      let number = path.withCString { Foundation.open($0, cx_entering | O_DIRECTORY | O_CLOEXEC) }
      guard number >= 0 else { throw FileFailure(errno) }
      self.init(number, .system)
    }
  }

  /// Opens a file or directory inside, without following links.
  func open(
    _ name: [UInt8], _ flags: Int32, mode: mode_t = 0
  ) throws(FileFailure) -> FolderDescriptor {
    let number = name.withCString {
      openat(self.number, $0, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode)
    }
    guard number >= 0 else { throw FileFailure(errno) }
    return FolderDescriptor(number, calls)
  }

  /// Opens a file inside for positioned reads.
  ///
  /// If this process has the file open as a database or its shared-memory index, the descriptor is
  /// borrowed: a new one could only be closed together with the database, so each read would leak
  /// one.
  func openFile(_ name: [UInt8]) throws(FileFailure) -> FolderDescriptor {
    if let status = try status(of: name), status.isRegular,
      let loan = SQLiteFile.borrow(device: status.identity.device, inode: status.identity.inode)
    {
      return FolderDescriptor(loan.descriptor, calls, lender: loan.lender)
    }
    return try open(name, O_RDONLY)
  }

  /// Opens a descendant directory, one name at a time.
  ///
  /// - Parameters:
  ///   - names: The names of the directories on the path.
  ///   - trail: The trail that records directories that are created, or nil to create none.
  /// - Returns: The directory.
  /// - Throws: ``FileFailure``.
  func directory(
    _ names: some Collection<[UInt8]>, creating trail: CreatedFolders? = nil
  ) throws(FileFailure) -> FolderDescriptor {
    var directory = self
    for (place, name) in names.enumerated() {
      let parent = directory
      var isMade = false
      if trail != nil {
        isMade = name.withCString { mkdirat(parent.number, $0, 0o777) } == 0
        guard isMade || errno == EEXIST else { throw FileFailure(errno) }
      }
      directory = try parent.open(name, O_RDONLY | O_DIRECTORY)
      if isMade {
        trail?.add(names.prefix(place + 1))
        if let failure = parent.synchronize() { throw failure }
      }
    }
    return directory
  }

  /// Returns the metadata of a file inside, or nil if it does not exist.
  func status(of name: [UInt8]) throws(FileFailure) -> FileStatus? {
    var status = stat()
    let result = name.withCString { fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW) }
    if result == 0 { return FileStatus(status) }
    let failure = FileFailure(errno)
    if failure.isMissing { return nil }
    throw failure
  }

  /// The metadata of the open file, or nil if it cannot be read.
  var status: FileStatus? {
    var status = stat()
    return fstat(number, &status) == 0 ? FileStatus(status) : nil
  }
}
