import Foundation

/// Paths without links, of which every file and folder has one.
enum ResolvedPath {
  /// The path without links, or nil where nothing is there.
  static func of(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
