import Foundation

/// An atomic change of file names.
///
/// Not all systems and file systems support it.
package enum NameChange: UInt32, Sendable {
  // The constants of a header that Swift cannot import.
  /// Renames a file, if the new name is free.
  case intoFree = 1
  /// Exchanges the names of two files.
  case exchange = 2

  private typealias RenameAt2 =
    @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

  private static let renameat2 = dlsym(nil, "renameat2").map {
    unsafeBitCast($0, to: RenameAt2.self)
  }

  /// Performs the change.
  ///
  /// - Parameters:
  ///   - directory: The descriptor of the directory of the first name.
  ///   - name: The first name.
  ///   - other: The descriptor of the directory of the second name.
  ///   - otherName: The second name.
  /// - Returns: The error number, or 0 if it succeeded.
  package func make(
    _ directory: Int32, _ name: UnsafePointer<CChar>, _ other: Int32,
    _ otherName: UnsafePointer<CChar>
  ) -> Int32 {
    guard let renameat2 = Self.renameat2 else { return ENOSYS }
    return renameat2(directory, name, other, otherName, rawValue) == 0 ? 0 : errno
  }

  /// Whether an error number means that the change is not supported, rather than that it failed.
  package static func isUnknown(_ number: Int32) -> Bool {
    number == ENOSYS || number == EINVAL || number == EOPNOTSUPP
  }
}
