import Foundation

/// Paths without links, of which every file and folder has one.
package enum ResolvedPath {
  /// The path without links, or nil where nothing is there.
  package static func of(_ path: String) -> String? {
    bytes(of: Array(path.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The path without links, which need not be text, or nil with `errno` set.
  package static func bytes(of path: [UInt8]) -> [UInt8]? {
    guard let resolved = path.withCString({ realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map {
      UInt8(bitPattern: $0)
    }
  }

  /// The path without links that a file has, or had while it was there.
  package static func evenIfMissing(_ path: String) -> String {
    if let resolved = of(path) { return resolved }
    let url = URL(filePath: path)
    let parent = url.deletingLastPathComponent().path
    let name = url.lastPathComponent
    guard let folder = of(parent) else { return url.standardizedFileURL.path }
    return folder == "/" ? "/" + name : folder + "/" + name
  }
}

extension [UInt8] {
  /// Lends the bytes as a C string.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (self + [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        // Never without an address: the buffer holds the final zero at least.
        characters.baseAddress.map(body) ?? "".withCString(body)
      }
    }
  }
}
