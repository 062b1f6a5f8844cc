import Foundation
public import LarderModel
import LarderStoreBase

extension Stores {
  /// Creates a sample store of each kind in a folder, unless it exists.
  ///
  /// - Parameter folder: The folder, which must exist.
  /// - Returns: The locations of the samples.
  /// - Throws: ``StoreError`` if a file cannot be written.
  @concurrent public static func makeSamples(
    in folder: String
  ) async throws(StoreError) -> [String] {
    var locations: [String] = []
    for kind in StoreKinds.openable {
      if let location = try await kind.makeSample(in: folder) { locations.append(location) }
    }
    return locations
  }
}

extension SQLiteKind {
  static var sample: Sample? {
    Sample("app.db", database: ("app.db", PackageResources.app_sql))
  }
}

extension ContainerKind {
  static var sample: Sample? {
    Sample(
      "com.example.notes",
      [
        "com.example.notes/shared_prefs/preferences.xml": PackageResources.preferences_xml,
        "com.example.notes/files/note.txt": Array("Call Grace\n".utf8),
      ],
      database: ("com.example.notes/databases/RKStorage", PackageResources.notes_sql))
  }
}

extension FolderKind {
  static var sample: Sample? {
    Sample(
      "files",
      [
        "files/caches/images/avatar-1.png": PackageResources.avatar_1_png,
        "files/caches/images/avatar-2.png": PackageResources.avatar_2_png,
        "files/caches/responses/users.json": Array(#"[{"id":1,"name":"Ada"}]"#.utf8),
        "files/documents/notes/first.txt": Array("Buy milk\nCall Grace\n".utf8),
        "files/documents/notes/second note.txt": Array("The analytical engine weaves.\n".utf8),
        "files/documents/größe.txt": Array("42\n".utf8),
        "files/settings.json": Array(#"{"theme":"larder-dark","size":13}"#.utf8),
      ])
  }
}
