import Foundation
import HarmonySQLite
package import LarderModel

/// The contents of a sample store.
///
/// Most are files in `Samples/Files` that are compiled in.
package struct Sample: Sendable {
  /// The path of the store in the folder of samples.
  package let path: String
  /// The files of the store by their paths in the folder of samples.
  private let files: KeyValuePairs<String, [UInt8]>
  /// The path of a database of the store, and the statements that create its tables.
  private let database: (path: String, sql: [UInt8])?

  package init(
    _ path: String, _ files: KeyValuePairs<String, [UInt8]> = [:],
    database: (path: String, sql: [UInt8])? = nil
  ) {
    self.path = path
    self.files = files
    self.database = database
  }

  /// Creates a sample that is a single file.
  package init(_ name: String, _ bytes: [UInt8]) {
    self.init(name, [name: bytes])
  }

  /// Creates the store in a folder, unless it exists, and returns its path.
  package func make(in folder: String) async throws(StoreError) -> String {
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
      throw .noSample(path, StoreError(error))
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
