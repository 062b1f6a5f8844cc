import Foundation

/// A system call that failed.
package struct FileFailure: Error, Equatable {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  /// Whether nothing is there; also where a part of the path is a file or a link, or longer than any
  /// name.
  package var isMissing: Bool { [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(number) }

  package var message: String { String(cString: strerror(number)) }
}
