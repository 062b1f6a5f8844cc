/// Writes files on behalf of the user.
package struct FileWriter: Sendable {
  /// A file to write.
  package struct Order: Sendable {
    /// The contents of the file.
    package var bytes: [UInt8]
    /// The path, in which `~` is the home folder.
    package var path: String
    /// Whether to replace an existing file.
    package var replaces: Bool
    /// The resolved paths that must never be replaced.
    package var spared: [String]

    package init(bytes: [UInt8], path: String, replaces: Bool, spared: [String]) {
      self.bytes = bytes
      self.path = path
      self.replaces = replaces
      self.spared = spared
    }
  }

  private let body: @Sendable (Order) throws -> String

  package init(_ body: @escaping @Sendable (Order) throws -> String) {
    self.body = body
  }

  /// Writes a file that only its owner can read.
  ///
  /// - Parameter order: The file to write.
  /// - Returns: The path of the file.
  /// - Throws: ``StoreError`` if the file exists or cannot be written, in which case nothing is
  ///   changed, or if it was written but may not survive a power failure.
  package func write(_ order: Order) throws -> String {
    try body(order)
  }
}
