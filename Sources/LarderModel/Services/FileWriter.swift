/// Writes files on behalf of the user.
package struct FileWriter: Sendable {
  /// A file to write.
  package struct Order: Sendable {
    /// The path, in which `~` is the home folder.
    package var path: String
    /// Whether to replace an existing file.
    package var replaces: Bool
    /// Returns the resolved paths that must never be replaced.
    package var spared: @Sendable () -> [String]

    package init(
      path: String, replaces: Bool, spared: @escaping @Sendable () -> [String]
    ) {
      self.path = path
      self.replaces = replaces
      self.spared = spared
    }
  }

  /// A closure that writes the contents by calling its argument with one piece at a time.
  package typealias Contents = (([UInt8]) throws -> Void) async throws -> Void

  private let body: @Sendable (Order, Contents) async throws -> String

  package init(_ body: @escaping @Sendable (Order, Contents) async throws -> String) {
    self.body = body
  }

  /// Writes a file that only its owner can read.
  ///
  /// - Parameters:
  ///   - order: The file to write.
  ///   - contents: A closure that writes the contents.
  /// - Returns: The path of the file.
  /// - Throws: ``StoreError`` if the file exists or cannot be written, in which case nothing is
  ///   changed, or if it was written but may not survive a power failure; or the error of
  ///   `contents`, in which case nothing is changed either.
  package func write(_ order: Order, _ contents: Contents) async throws -> String {
    try await body(order, contents)
  }
}
