import Foundation

/// A change of the names of files that the system makes in one step.
///
/// Old systems do not know it, nor do all file systems.
package enum NameChange: UInt32, Sendable {
  // The numbers are of a header that Swift does not see.
  /// A file gets another name, if none has it.
  case intoFree = 1
  /// Two files get the names of each other.
  case exchange = 2

  private typealias RenameAt2 =
    @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

  private static let renameat2 = dlsym(nil, "renameat2").map {
    unsafeBitCast($0, to: RenameAt2.self)
  }

  /// Makes the change.
  ///
  /// - Parameters:
  ///   - directory: The descriptor of the directory of the first name.
  ///   - name: The first name.
  ///   - other: The descriptor of the directory of the second name.
  ///   - otherName: The second name.
  /// - Returns: The number of the system for what went wrong, or 0.
  package func make(
    _ directory: Int32, _ name: UnsafePointer<CChar>, _ other: Int32,
    _ otherName: UnsafePointer<CChar>
  ) -> Int32 {
    guard let renameat2 = Self.renameat2 else { return ENOSYS }
    return renameat2(directory, name, other, otherName, rawValue) == 0 ? 0 : errno
  }

  /// Whether a number says that the change is not known here, rather than that it failed.
  package static func isUnknown(_ number: Int32) -> Bool {
    number == ENOSYS || number == EINVAL || number == EOPNOTSUPP
  }
}
