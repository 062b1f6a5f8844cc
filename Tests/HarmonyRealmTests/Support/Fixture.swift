import Foundation
import HarmonyRealm

/// A file written by Realm, with Realm's own dump of its contents.
struct Fixture {
  let path: String
  let expected: String

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures")

  init(_ name: String) {
    path = Self.path(name + ".realm")
    let own = Self.path(name + ".expected.json")
    expected = FileManager.default.fileExists(atPath: own) ? own : Self.path(name + ".json")
  }

  static func path(_ name: String) -> String { folder.appending(path: name).path }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path(name))))
  }

  /// The fixtures that can be read.
  static let readable = [
    "r0", "r3", "r300", "s3", "s15", "live24", "compact24", "types24", "deep24", "versions24",
    "empty24", "compact23", "compact22",
  ]

  /// The fixtures with a dump.
  static let described = [
    "r0", "r3", "r300", "s3", "s15", "live24", "types24", "compact23", "compact22",
  ]
}

/// A temporary file with given contents, which is removed with this object.
final class TemporaryFile {
  let path = NSTemporaryDirectory() + "/realm-" + UUID().uuidString + ".realm"

  init(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
