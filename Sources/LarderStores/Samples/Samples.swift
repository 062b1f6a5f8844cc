import Foundation
import HarmonySQLite
public import LarderModel

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

/// The contents of a sample store.
///
/// Most are files in `Samples/Files` that are compiled in.
struct Sample: Sendable {
  /// The path of the store in the folder of samples.
  let path: String
  /// The files of the store by their paths in the folder of samples.
  private let files: KeyValuePairs<String, [UInt8]>
  /// The path of a database of the store, and the statements that create its tables.
  private let database: (path: String, sql: [UInt8])?

  init(
    _ path: String, _ files: KeyValuePairs<String, [UInt8]> = [:],
    database: (path: String, sql: [UInt8])? = nil
  ) {
    self.path = path
    self.files = files
    self.database = database
  }

  /// Creates a sample that is a single file.
  init(_ name: String, _ bytes: [UInt8]) {
    self.init(name, [name: bytes])
  }

  /// Creates the store in a folder, unless it exists, and returns its path.
  func make(in folder: String) async throws(StoreError) -> String {
    let path = folder + "/" + path
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    do {
      for (name, bytes) in files {
        try Data(bytes).write(to: try Self.place(name, in: folder))
      }
      if let (name, sql) = database {
        let connection = SQLiteConnection(
          path: try Self.place(name, in: folder).path, access: .creating)
        try await connection.perform { session in
          try session.write { try session.execute(String(decoding: sql, as: UTF8.self)) }
        }
        connection.close()
      }
    } catch {
      throw .failed("the sample \(path) cannot be made: \(StoreError(error).message)")
    }
    return path
  }

  /// Returns the URL of a file of the store, after creating the folders on its path.
  private static func place(_ name: String, in folder: String) throws -> URL {
    let file = URL(fileURLWithPath: folder + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    return file
  }
}

extension OpenableKind {
  static var sample: Sample? { nil }

  static func makeSample(in folder: String) async throws(StoreError) -> String? {
    try await sample?.make(in: folder)
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
