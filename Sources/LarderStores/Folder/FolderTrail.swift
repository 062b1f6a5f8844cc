/// The folders that a writer has made, as paths below its root.
final class FolderTrail {
  private(set) var paths: Set<[UInt8]> = []

  /// Adds a folder that was made just now.
  func add(_ names: some Sequence<[UInt8]>) {
    paths.insert(Self.path(names))
  }

  /// The path of a folder by the names that lead to it.
  static func path(_ names: some Sequence<[UInt8]>) -> [UInt8] {
    Array(names.joined(separator: [UInt8(ascii: "/")]))
  }
}
