import LarderModel
import LarderDocuments
import LarderStoreBase

/// The preferences of Android apps in Jetpack DataStore: a map in Protocol Buffers.
enum DataStoreKind: DocumentKind {
  typealias Contents = DataStoreDocument

  static let kind = StoreKind(
    name: "datastore",
    recognizedBy: "Android's DataStore preferences: a protobuf map of typed values",
    collections: "–", keys: "names", keysArePaths: true,
    types: [.text, .integer, .real, .bool, .data, .array],
    restoredForms: DataStoreDocument.typeNames)

  static let format = "Android's DataStore preferences"

  /// The suffix that DataStore requires of its files.
  private static let suffix = ".preferences_pb"

  static var sample: Sample? {
    Sample("settings.preferences_pb", PackageResources.settings_preferences_pb)
  }

  static func recognize(_ probe: StoreProbe) -> String? {
    guard case .file(let bytes, let size) = probe.target else { return nil }
    if DataStoreDocument.begins(bytes, isWhole: bytes.count == size) {
      return Messages.dataStore
    }
    // Without any preferences, the file is empty.
    guard isNamed(probe.location.path), bytes.first ?? 0x0A == 0x0A else { return nil }
    return Messages.dataStoreName(suffix)
  }

  /// Returns whether a file has the suffix of DataStore's files.
  static func isNamed(_ path: String) -> Bool { path.hasSuffix(suffix) }
}
