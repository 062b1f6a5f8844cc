/// Writes files that a user asks for.
package struct FileWriter: Sendable {
  /// A file to be written.
  package struct Order: Sendable {
    /// What is to be in it.
    package var bytes: [UInt8]
    /// Its path; `~` is the home.
    package var path: String
    /// Whether it may be there already.
    package var replaces: Bool
    /// The paths without links of what is not to be replaced in any case.
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

  /// Writes a file, which only its owner can read.
  ///
  /// - Parameter order: What to write where.
  /// - Returns: The path that was meant.
  /// - Throws: ``StoreError`` where it is there, or cannot be written; nothing is changed then. Also
  ///   where it is written and may not outlast a power failure, which the error says.
  package func write(_ order: Order) throws -> String {
    try body(order)
  }
}
