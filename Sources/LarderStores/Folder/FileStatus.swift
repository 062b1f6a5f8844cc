import Foundation

/// The identity of a file, regardless of its path.
struct FileIdentity: Sendable, Hashable, Comparable {
  let device: UInt64
  let inode: UInt64

  static func < (left: Self, right: Self) -> Bool {
    (left.device, left.inode) < (right.device, right.inode)
  }
}

/// A timestamp of a file.
struct FileTime: Sendable, Equatable {
  let seconds: Int
  let nanoseconds: Int

  var date: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9) }
}

/// The metadata of a file, as reported by `stat`.
struct FileStatus: Sendable, Equatable {
  let identity: FileIdentity
  let size: Int
  /// The number of hard links to the file.
  let links: Int
  let mode: mode_t
  let owner: uid_t
  let group: gid_t
  /// The time of the last change of the contents.
  let contentTime: FileTime
  /// The time of the last change of the contents or the metadata.
  let statusTime: FileTime

  init(_ status: stat) {
    identity = FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    size = Int(status.st_size)
    links = Int(status.st_nlink)
    mode = status.st_mode
    owner = status.st_uid
    group = status.st_gid
    contentTime = FileTime(
      seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    statusTime = FileTime(
      seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
  }

  /// Returns whether this may be the same file with unchanged contents, possibly renamed.
  ///
  /// The link count is not compared: on file systems where a rename consists of a link and an
  /// unlink, it may temporarily be too high.
  func isUnchanged(since other: FileStatus) -> Bool {
    isSameFile(as: other) && group == other.group && isLike(other)
  }

  /// Returns whether only the inode number changed.
  func isRenumbered(since other: FileStatus) -> Bool {
    identity.inode != other.identity.inode && identity.device == other.identity.device
      && isLike(other)
  }

  private func isLike(_ other: FileStatus) -> Bool {
    size == other.size && mode == other.mode && owner == other.owner
      && contentTime == other.contentTime
  }

  /// Returns whether this is the same file, possibly with other contents.
  func isSameFile(as other: FileStatus) -> Bool {
    identity == other.identity
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

  var modified: Date { contentTime.date }
}
