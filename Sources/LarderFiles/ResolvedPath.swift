import Foundation

/// Canonical paths: without links, so that each file and folder has exactly one.
package enum ResolvedPath {
  /// Returns the path without links, or nil if there is no such file.
  package static func of(_ path: String) -> String? {
    bytes(of: Array(path.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the path without links, which may not be valid UTF-8, or nil with `errno` set.
  package static func bytes(of path: [UInt8]) -> [UInt8]? {
    guard let resolved = path.withCString({ realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map {
      UInt8(bitPattern: $0)
    }
  }

  /// Returns the path without links, of a file that may have been deleted.
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
  /// Calls a closure with the bytes as a null-terminated C string.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (self + [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        // The base address is never nil: the buffer contains at least the terminator.
        characters.baseAddress.map(body) ?? "".withCString(body)
      }
    }
  }
}
