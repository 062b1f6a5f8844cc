import Foundation

/// What the system knows about a file.
struct FileStatus: Sendable, Equatable {
  let device: UInt64
  let inode: UInt64
  let size: Int
  /// How many names the file has.
  let links: Int
  let mode: mode_t
  let owner: uid_t
  let group: gid_t
  let modifiedSeconds: Int
  let modifiedNanoseconds: Int
  let changedSeconds: Int
  let changedNanoseconds: Int

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    links = Int(status.st_nlink)
    mode = status.st_mode
    owner = status.st_uid
    group = status.st_gid
    modifiedSeconds = status.st_mtim.tv_sec
    modifiedNanoseconds = status.st_mtim.tv_nsec
    changedSeconds = status.st_ctim.tv_sec
    changedNanoseconds = status.st_ctim.tv_nsec
  }

  /// Whether this may be the same file under another name, with the contents that it had: a rename
  /// changes nothing else of a file.
  ///
  /// The number of names is not compared: where a rename takes a link and an unlink, some file systems
  /// tell the number between the two for a while.
  func isUnchanged(since other: FileStatus) -> Bool {
    device == other.device && inode == other.inode && size == other.size && mode == other.mode
      && owner == other.owner && group == other.group
      && modifiedSeconds == other.modifiedSeconds
      && modifiedNanoseconds == other.modifiedNanoseconds
  }

  /// Whether only the number of the file is another than it was.
  func isRenumbered(since other: FileStatus) -> Bool {
    inode != other.inode && device == other.device && size == other.size && mode == other.mode
      && owner == other.owner && modifiedSeconds == other.modifiedSeconds
      && modifiedNanoseconds == other.modifiedNanoseconds
  }

  /// Whether this is the same file, whatever became of it.
  func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  var isRegular: Bool { mode & S_IFMT == S_IFREG }
  var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
  var isLink: Bool { mode & S_IFMT == S_IFLNK }

  /// What `ls` calls a file that is neither a regular one nor a folder; nil for these.
  var specialType: String? {
    switch mode & S_IFMT {
    case S_IFLNK: "link"
    case S_IFIFO: "fifo"
    case S_IFSOCK: "socket"
    case S_IFBLK, S_IFCHR: "device"
    default: nil
    }
  }

  /// What the file is, to a user.
  var noun: String {
    isRegular
      ? "a file" : isDirectory ? "a folder" : isLink ? "a symbolic link" : "a special file"
  }

  var modified: Date {
    Date(timeIntervalSince1970: Double(modifiedSeconds) + Double(modifiedNanoseconds) / 1e9)
  }
}
