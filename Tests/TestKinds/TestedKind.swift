import Foundation
import HarmonySQLite
import LarderModel

@testable import LarderStoreBase
@testable import LarderStores

/// A kind of store that the general tests run on: the laws of its source, and every verb of the
/// journal, of the command line and of the browser.
package struct TestedKind: Sendable, CustomStringConvertible {
  /// The name of the kind.
  package let description: String
  /// Whether every value is stored as text.
  package let storesTexts: Bool
  /// Whether only some strings are valid keys.
  package let restrictsKeys: Bool
  private let make: @Sendable (_ path: String, _ values: [String: String]) async throws -> Void

  /// The kinds; a kind that is not in this list needs one line in it.
  package static let all = [
    TestedKind(SortedArrayKind.self, storesTexts: true, SortedArrayKind.make),
    TestedKind(SQLiteKind.self, makeTable),
    TestedKind(FolderKind.self, storesTexts: true, restrictsKeys: true, makeFolder),
    TestedKind(JSONKind.self, makeJSON),
    TestedKind(PropertyListKind.self, makePropertyList),
    TestedKind(PreferencesKind.self, makePreferences),
  ]

  private init(
    _ kind: any OpenableKind.Type, storesTexts: Bool = false, restrictsKeys: Bool = false,
    _ make: @escaping @Sendable (_ path: String, _ values: [String: String]) async throws -> Void
  ) {
    StoreKinds.add(kind)
    description = kind.kind.name
    self.storesTexts = storesTexts
    self.restrictsKeys = restrictsKeys
    self.make = make
  }

  /// Creates a store with text values in a folder.
  ///
  /// - Returns: The path of the store.
  package func make(
    in folder: String, named name: String = "store", _ values: [String: String]
  ) async throws -> String {
    let path = folder + "/" + name
    try await make(path, values)
    return path
  }

  // MARK: Built-in kinds

  private static func makeTable(_ path: String, _ values: [String: String]) async throws {
    let connection = SQLiteConnection(path: path, access: .creating)
    defer { connection.close() }
    try await connection.perform { session in
      try session.execute("CREATE TABLE kv(k TEXT PRIMARY KEY, v)")
      for (key, value) in values {
        try session.run("INSERT INTO kv VALUES(?, ?)", [.text(key), .text(value)])
      }
    }
  }

  private static func makeFolder(_ path: String, _ values: [String: String]) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (key, value) in values { try Data(value.utf8).write(to: URL(filePath: "\(path)/\(key)")) }
  }

  private static func makeJSON(_ path: String, _ values: [String: String]) throws {
    let members = lines(values, between: ",\n") { "  \"\($0)\": \"\($1)\"" }
    try write("{\n\(members)\n}\n", to: path)
  }

  private static func makePropertyList(_ path: String, _ values: [String: String]) throws {
    let members = lines(values) { "\t<key>\($0)</key>\n\t<string>\($1)</string>\n" }
    try write(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n\(members)"
        + "</dict>\n</plist>\n", to: path)
  }

  private static func makePreferences(_ path: String, _ values: [String: String]) throws {
    try write(
      "<map>\n" + lines(values) { "    <string name=\"\($0)\">\($1)</string>\n" } + "</map>\n",
      to: path)
  }

  private static func lines(
    _ values: [String: String], between separator: String = "",
    _ line: (String, String) -> String
  ) -> String {
    values.sorted { $0.key < $1.key }.map { line($0.key, $0.value) }.joined(separator: separator)
  }

  private static func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }
}
