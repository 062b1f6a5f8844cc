import Foundation

/// A system call that failed.
package struct FileFailure: Error, Equatable {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  /// Whether no file can be at the path: nothing is there, a component is a file or a link, or the
  /// path or a name in it is too long.
  package var isMissing: Bool { [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(number) }

  package var message: String { String(cString: strerror(number)) }
}
