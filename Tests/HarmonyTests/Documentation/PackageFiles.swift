import Foundation
import Testing

/// The files of this package, located relative to this one.
enum PackageFiles {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Returns the documentation pages by name.
  static func pages() throws -> [String: String] {
    try texts(in: "Sources/Harmony/Harmony.docc", suffix: ".md")
  }

  /// Returns the test sources of the library by path.
  static func testSources() throws -> [String: String] {
    try [
      "HarmonyTests", "HarmonySQLiteTests", "HarmonyKeychainTests", "HarmonyRealmTests",
      "HarmonyRedisTests",
    ].reduce(into: [:]) {
      try $0.merge(texts(in: "Tests/\($1)", suffix: ".swift")) { first, _ in first }
    }
  }

  /// Returns the sources of the library by path.
  static func sources() throws -> [String: String] {
    var sources: [String: String] = [:]
    for module in [
      "Harmony", "HarmonySQLite", "HarmonyKeychain", "HarmonyRealm", "HarmonyRedis",
      "HarmonyTesting",
    ] {
      let texts = try texts(in: "Sources/\(module)", suffix: ".swift")
      for (path, text) in texts { sources["\(module)/\(path)"] = text }
    }
    // Modules with a single page.
    for module in ["HarmonyKeychain", "HarmonyRealm"] {
      try sources.merge(texts(in: "Sources/\(module)/\(module).docc", suffix: ".md")) { $1 }
    }
    return sources
  }

  private static func texts(in folder: String, suffix: String) throws -> [String: String] {
    let folder = root.appending(path: folder)
    var texts: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path.hasSuffix(suffix) {
      texts[path] = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }
    return texts
  }
}
