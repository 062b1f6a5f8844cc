import Foundation

/// A system call that failed.
struct FileFailure: Error, Equatable {
  let number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  /// Whether nothing is there; also where a part of the path is a file or a link.
  var isMissing: Bool { number == ENOENT || number == ENOTDIR || number == ELOOP }

  var message: String { String(cString: strerror(number)) }
}

extension FileFailure {
  /// What keeps somebody from writing, as a clause.
  var obstacle: String {
    switch number {
    case EROFS: "the file system that holds it is read-only"
    case EPERM: "it is marked as one that must not be changed"
    default: "its permissions do not allow writing"
    }
  }

  /// What it means for a change that was made when its directory cannot be brought to the disk.
  var doubt: String {
    "the disk failed then (\(message)): what was written before it may not survive a loss of power"
  }
}
