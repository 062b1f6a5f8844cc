import HarmonySQLite
import LarderModel
import LarderDocuments
import LarderStoreBase

/// JSON files whose root is an object or an array.
enum JSONKind: DocumentKind {
  typealias Contents = JSONDocument

  static let kind = StoreKind(
    name: "json", recognizedBy: "a JSON object or array, whatever the name of the file",
    collections: "–", keys: "names or numbers; for nested members, (users,0,name) or /users/0/name",
    keysArePaths: true, keepsDigits: true,
    types: [.text, .integer, .real, .bool, .null, .array, .dictionary], check: .json)

  static let format = "JSON"

  /// The number of bytes to read if the file starts with a comment, such as a license.
  private static let maximumStart = 64 << 10

  static var sample: Sample? { Sample("settings.json", PackageResources.settings_json) }

  static func recognize(_ probe: StoreProbe) -> String? {
    guard case .file(var bytes, let size) = probe.target else { return nil }
    if JSONStart(bytes) == .unknown, Int64(bytes.count) < size,
      let file = try? SQLiteFile.at(probe.location.path)
    {
      bytes = file.firstBytes(maximumStart)
    }
    switch JSONStart(bytes) {
    case .object: return Messages.jsonObject
    case .array: return Messages.jsonArray
    case .other, .unknown: return nil
    }
  }
}
