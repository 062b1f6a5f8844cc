import HarmonySQLite
import LarderFiles
import LarderModel
import LarderDocuments
import LarderStoreBase

/// The preferences of Android apps: `SharedPreferences` in XML.
enum PreferencesKind: DocumentKind {
  typealias Contents = PreferencesDocument

  static let kind = StoreKind(
    name: "preferences", recognizedBy: "Android's SharedPreferences: XML with <map> as the root",
    collections: "–", keys: "names", keysArePaths: true,
    types: [.text, .integer, .real, .bool, .array, .null],
    restoredForms: PreferencesDocument.typeNames, check: .preferences)

  static let format = "Android's preferences"

  /// The suffix of the backup that an interrupted write leaves, and that Android then restores.
  static let backupEnding: String? = backupSuffix

  static var sample: Sample? { Sample("preferences.xml", PackageResources.preferences_xml) }

  static func recognize(_ probe: StoreProbe) -> String? {
    guard case .file(let bytes, _) = probe.target else { return nil }
    let backup = backup(of: probe.location.path)
    // If there is a backup, Android ignores the contents of the file itself.
    let isXML = probe.location.path.lowercased().hasSuffix(".xml") && !bytes.holds("<plist")
    if isXML || mayBeTorn(bytes), isBackup(backup) {
      return Messages.preferencesBackup(backup)
    }
    return isMap(bytes) ? Messages.preferences : nil
  }

  /// The suffix of the backup files that Android restores.
  static let backupSuffix = ".bak"

  /// Returns whether Android would restore a missing file from a backup: apps rename the original
  /// to that before they write the file again.
  static func isToBeRestored(_ path: String) -> Bool {
    isBackup(backup(of: path))
  }

  /// Returns the path of the backup of a file, which is beside the target of a link.
  private static func backup(of path: String) -> String {
    ResolvedPath.evenIfMissing(path) + backupSuffix
  }

  private static func isBackup(_ path: String) -> Bool {
    (try? SQLiteFile.at(path)).map { isMap($0.firstBytes(512)) } ?? false
  }

  /// Returns whether the bytes are those of a preferences file or of one that was only partly
  /// written.
  private static func mayBeTorn(_ bytes: [UInt8]) -> Bool {
    let start = withoutLead(bytes)
    return start.isEmpty || isMap(bytes)
      || Array("<?xml".utf8).starts(with: start.prefix(5))
        && !bytes.holds("<plist")
  }

  /// Returns the bytes after leading whitespace and a byte order mark.
  private static func withoutLead(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
  }

  private static func isMap(_ bytes: [UInt8]) -> Bool {
    withoutLead(bytes).first == UInt8(ascii: "<") && !bytes.holds("<plist")
      && ["<map>", "<map ", "<map/>", "<map\n", "<map\r"].contains { bytes.holds($0) }
  }
}
