import Foundation

/// The metadata of a file, as reported by `stat`.
struct FileStatus: Sendable, Equatable {
  let device: UInt64
  let inode: UInt64
  let size: Int
  /// The number of hard links to the file.
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

  /// Returns whether this may be the same file with unchanged contents, possibly renamed.
  ///
  /// The link count is not compared: on file systems where a rename consists of a link and an
  /// unlink, it may temporarily be too high.
  func isUnchanged(since other: FileStatus) -> Bool {
    device == other.device && inode == other.inode && size == other.size && mode == other.mode
      && owner == other.owner && group == other.group
      && modifiedSeconds == other.modifiedSeconds
      && modifiedNanoseconds == other.modifiedNanoseconds
  }

  /// Returns whether only the inode number changed.
  func isRenumbered(since other: FileStatus) -> Bool {
    inode != other.inode && device == other.device && size == other.size && mode == other.mode
      && owner == other.owner && modifiedSeconds == other.modifiedSeconds
      && modifiedNanoseconds == other.modifiedNanoseconds
  }

  /// Returns whether this is the same file, possibly with other contents.
  func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  var isRegular: Bool { mode & S_IFMT == S_IFREG }
  var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
  var isLink: Bool { mode & S_IFMT == S_IFLNK }

  /// The type of a special file, in the terms of `ls`, or nil for a regular file or a directory.
  var specialType: String? {
    switch mode & S_IFMT {
    case S_IFLNK: "link"
    case S_IFIFO: "fifo"
    case S_IFSOCK: "socket"
    case S_IFBLK, S_IFCHR: "device"
    default: nil
    }
  }

  /// A description of the file type for messages.
  var noun: String {
    isRegular
      ? "a file" : isDirectory ? "a folder" : isLink ? "a symbolic link" : "a special file"
  }

  var modified: Date {
    Date(timeIntervalSince1970: Double(modifiedSeconds) + Double(modifiedNanoseconds) / 1e9)
  }
}
