import Foundation

/// Paths without links, of which every file and folder has one.
enum ResolvedPath {
  /// The path without links, or nil where nothing is there.
  static func of(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The path without links that a file has, or had while it was there.
  static func evenIfMissing(_ path: String) -> String {
    if let resolved = of(path) { return resolved }
    let url = URL(filePath: path)
    let parent = url.deletingLastPathComponent().path
    let name = url.lastPathComponent
    guard let folder = of(parent) else { return url.standardizedFileURL.path }
    return folder == "/" ? "/" + name : folder + "/" + name
  }
}
