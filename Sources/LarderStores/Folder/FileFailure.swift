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
