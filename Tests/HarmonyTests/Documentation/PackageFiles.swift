import Foundation
import Testing

/// The files of this package, found from the place of this one.
enum PackageFiles {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The pages of the documentation, by their names.
  static func pages() throws -> [String: String] {
    try texts(in: "Sources/Harmony/Harmony.docc", suffix: ".md")
  }

  /// The sources of the tests of the library, by their paths.
  static func testSources() throws -> [String: String] {
    try ["HarmonyTests", "HarmonySQLiteTests", "HarmonyKeychainTests", "HarmonyRealmTests"].reduce(
      into: [:]
    ) {
      try $0.merge(texts(in: "Tests/\($1)", suffix: ".swift")) { first, _ in first }
    }
  }

  /// The sources of the library, by their paths.
  static func sources() throws -> [String: String] {
    var sources: [String: String] = [:]
    for module in ["Harmony", "HarmonySQLite", "HarmonyKeychain", "HarmonyRealm", "HarmonyTesting"]
    {
      let texts = try texts(in: "Sources/\(module)", suffix: ".swift")
      for (path, text) in texts { sources["\(module)/\(path)"] = text }
    }
    // Their only pages.
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
