import CXattr
import LarderFiles
import Foundation
import HarmonySQLite

/// An open file or directory, closed when it goes away.
///
/// Everything inside a folder is opened from here, name by name and without following links, so
/// no path can lead out of the folder, whatever others change meanwhile.
final class FolderDescriptor {
  let number: Int32
  let calls: FileCalls
  /// The open database that the number is borrowed from, if it is.
  private let lender: SQLiteFile?

  private init(_ number: Int32, _ calls: FileCalls, lender: SQLiteFile? = nil) {
    self.number = number
    self.calls = calls
    self.lender = lender
  }

  deinit {
    guard lender == nil else { return }
    // Not `close`: the file may be a database that this process holds locks on.
    SQLiteFile.close(number)
  }

  /// Opens the folder itself, which may be reached through links.
  convenience init(root path: String, calls: FileCalls = .system) throws(FileFailure) {
    try self.init(root: Array(path.utf8), calls: calls)
  }

  /// Opens a folder whose path need not be text.
  convenience init(root path: [UInt8], calls: FileCalls = .system) throws(FileFailure) {
    let number = path.withCString { Foundation.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard number >= 0 else { throw FileFailure(errno) }
    self.init(number, calls)
  }

  /// Opens a folder in which the names of files are known, so that it need not be listed; what needs
  /// more of one that may only be entered fails.
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

  /// Opens something inside, never through a link.
  func open(
    _ name: [UInt8], _ flags: Int32, mode: mode_t = 0
  ) throws(FileFailure) -> FolderDescriptor {
    let number = name.withCString {
      openat(self.number, $0, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode)
    }
    guard number >= 0 else { throw FileFailure(errno) }
    return FolderDescriptor(number, calls)
  }

  /// Opens a file inside for reading at places.
  ///
  /// A database that this process has open is borrowed, and the index of its log too: their
  /// descriptors can only be closed with it, and each look at them would leave one more.
  func openFile(_ name: [UInt8]) throws(FileFailure) -> FolderDescriptor {
    if let status = try status(of: name), status.isRegular,
      let loan = SQLiteFile.borrow(device: status.device, inode: status.inode)
    {
      return FolderDescriptor(loan.descriptor, calls, lender: loan.lender)
    }
    return try open(name, O_RDONLY)
  }

  /// Opens a directory below, step by step.
  ///
  /// - Parameters:
  ///   - names: The names that lead to it.
  ///   - trail: Where those are noted that had to be made; nil where none is to be.
  /// - Returns: The directory.
  /// - Throws: ``FileFailure``.
  func directory(
    _ names: some Collection<[UInt8]>, creating trail: FolderTrail? = nil
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

  /// What is known about something inside, or nil where there is nothing.
  func status(of name: [UInt8]) throws(FileFailure) -> FileStatus? {
    var status = stat()
    let result = name.withCString { fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW) }
    if result == 0 { return FileStatus(status) }
    let failure = FileFailure(errno)
    if failure.isMissing { return nil }
    throw failure
  }

  /// What is known about the open file.
  var status: FileStatus? {
    var status = stat()
    return fstat(number, &status) == 0 ? FileStatus(status) : nil
  }
}
