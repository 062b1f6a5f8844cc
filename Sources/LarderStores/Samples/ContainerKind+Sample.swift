import Foundation
import HarmonySQLite
import LarderModel

extension ContainerKind {
  /// Creates the data of an Android app: preferences, a database and a file.
  static func makeSample(in folder: String) async throws(StoreError) -> String? {
    let path = folder + "/com.example.notes"
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    do {
      for name in ["shared_prefs", "databases", "files"] {
        try FileManager.default.createDirectory(
          atPath: path + "/" + name, withIntermediateDirectories: true)
      }
      _ = try await PreferencesKind.makeSample(in: path + "/shared_prefs")
      _ = try SampleFile.make("note.txt", in: path + "/files", "Call Grace\n".utf8)
      let database = SQLiteConnection(path: path + "/databases/RKStorage", access: .creating)
      try await database.perform { session in
        try session.write {
          try session.execute(
            """
            CREATE TABLE catalystLocalStorage (key TEXT PRIMARY KEY, value TEXT NOT NULL);
            INSERT INTO catalystLocalStorage VALUES
              ('@notes:open', '[1,2]'), ('@notes:theme', '"dark"'), ('@user:token', 't-7919');
            """)
        }
      }
      database.close()
    } catch {
      throw .failed("the sample \(path) cannot be made: \(error)")
    }
    return path
  }
}
