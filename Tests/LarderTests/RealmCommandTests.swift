import Foundation
import Testing

/// `larder` on files written by Realm, run as a separate process.
struct RealmCommandTests {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "HarmonyRealmTests/Fixtures").path

  private func larder(_ arguments: [String]) throws -> Outcome {
    try Shell.run(Shell.larder, arguments)
  }

  /// Runs a test on a copy of a file, and checks that neither the copy nor its folder has changed.
  private func withCopy(_ name: String, _ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "/realm-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/app.realm"
    try FileManager.default.copyItem(atPath: Self.fixtures + "/" + name, toPath: path)
    try body(path)
    #expect(FileManager.default.contentsEqual(atPath: path, andPath: Self.fixtures + "/" + name))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["app.realm"])
  }

  @Test func `Classes, keys and objects are read`() throws {
    try withCopy("r3.realm") { path in
      #expect(try larder(["info", path]).text.contains("Item"))
      #expect(try larder(["ls", path + "#Owner"]).lines == (0..<10).map(String.init))
      #expect(try larder(["get", path + "#Owner", "1", "--as", "json"]).text.contains("Owner 1"))
      let absent = try larder(["get", "\(path)#Owner", "77"])
      #expect(absent.code == 1)
      let unknown = try larder(["ls", "\(path)#Nothing"])
      #expect(unknown.code == 3)
    }
  }

  @Test func `An export marks types that JSON does not distinguish`() throws {
    try withCopy("r3.realm") { path in
      let export = try larder(["export", path + "#Item"])
      #expect(export.code == 0)
      #expect(export.lines.count == 3)
      for line in export.lines {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        let form = try #require(object?["form"] as? String)
        for mark in ["float /ratio", "decimal128 /dec", "objectId /oid", "set /set"] {
          #expect(form.contains(mark), "\(form)")
        }
      }
    }
  }

  @Test func `An export holds what the file does`() throws {
    try withCopy("r3.realm") { path in
      for name in ["Item", "Owner"] {
        let export = try larder(["export", "\(path)#\(name)"])
        let same = try Shell.run(
          Shell.larder, ["diff", "\(path)#\(name)", "-"], input: Array(export.text.utf8))
        #expect(same.code == 0, "\(same.text)")
        #expect(same.text.isEmpty)
      }
    }
  }

  @Test func `Writing is refused and reported`() throws {
    try withCopy("r3.realm") { path in
      for arguments in [
        ["put", path + "#Owner", "1", #"{"id": 1, "name": "x"}"#],
        ["rm", path + "#Owner", "1", "--yes"],
        ["mv", path + "#Owner", "1", "2"],
      ] {
        let outcome = try larder(arguments)
        #expect(outcome.code == 5, "\(arguments): \(outcome.errors)")
      }
      let export = try larder(["export", path + "#Owner", "--as", "realm"])
      #expect(export.code == 2)
      #expect(export.errors.contains("--as"))
      #expect(export.text.isEmpty)
    }
  }

  @Test func `An encrypted file reports the missing key`() throws {
    try withCopy("encrypted.realm") { path in
      let outcome = try larder(["ls", path])
      #expect(outcome.code == 3)
      #expect(outcome.errors.contains("without its 64-byte key"))
    }
  }
}
