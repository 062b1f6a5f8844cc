import CXattr
import Foundation

/// What tells a folder from another one that got its path later.
struct FolderMark: Sendable, Hashable {
  let device: UInt64
  let inode: UInt64
  /// When it was made, in nanoseconds since 1970; zero where the file system does not say.
  ///
  /// The number of an inode is soon used again.
  let birth: Int64

  /// A folder that is about to be made: it is none that is older.
  static var expected: FolderMark {
    // The clock of file systems is some thousandths behind.
    let start = Date().timeIntervalSince1970 - 0.05
    return FolderMark(device: 0, inode: 0, birth: Int64(start * 1_000) * 1_000_000)
  }

  /// Whether a folder is the one that was marked, or may be the one that was expected.
  func isMet(by other: FolderMark) -> Bool {
    inode == 0 && device == 0 ? other.birth >= birth : self == other
  }
}

extension FolderDescriptor {
  /// What tells the open folder from others.
  var mark: FolderMark? {
    status.map {
      FolderMark(device: $0.device, inode: $0.inode, birth: cx_birth_time(number))
    }
  }
}

/// The folders that a writer has made, as paths below its root.
final class FolderTrail {
  private(set) var marks: [[UInt8]: FolderMark] = [:]

  /// Adds a folder that was made just now.
  func add(_ names: some Sequence<[UInt8]>, _ folder: FolderDescriptor) {
    marks[Self.path(names)] = folder.mark
  }

  /// The path of a folder by the names that lead to it.
  static func path(_ names: some Sequence<[UInt8]>) -> [UInt8] {
    Array(names.joined(separator: [UInt8(ascii: "/")]))
  }
}
