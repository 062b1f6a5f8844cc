/// The folders that a writer has created, as paths below its root.
final class CreatedFolders {
  private(set) var paths: Set<[UInt8]> = []

  /// Adds a folder that was just created.
  func add(_ names: some Sequence<[UInt8]>) {
    paths.insert(Self.path(names))
  }

  /// Returns the path of a folder from the names on it.
  static func path(_ names: some Sequence<[UInt8]>) -> [UInt8] {
    Array(names.joined(separator: [UInt8(ascii: "/")]))
  }
}
