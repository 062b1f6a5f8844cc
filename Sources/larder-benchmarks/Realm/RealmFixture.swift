import Foundation
import HarmonySQLite
import RealmExercise

/// A Realm file with one class, and a database with the same rows, created once in a folder.
struct RealmFixture {
  let folder: String

  init(folder: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Returns the path of a Realm file with `count` objects, creating it if necessary.
  func realm(_ count: Int) throws -> String {
    let path = folder + "/objects-\(count).realm"
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    print("making \(path) …")
    let unfinished = path + ".part"
    try? FileManager.default.removeItem(atPath: unfinished)
    try RealmSample.write(count, to: unfinished)
    try FileManager.default.moveItem(atPath: unfinished, toPath: path)
    return path
  }

  /// Returns the path of a database with the same rows, creating it if necessary.
  func database(_ count: Int) async throws -> String {
    try await Fixture(folder: folder).make(
      "objects-\(count).db", count,
      table: "\(RealmSample.name) (k TEXT PRIMARY KEY, n INTEGER, v TEXT)"
    ) { session, number in
      try session.run(
        "INSERT INTO \(RealmSample.name) VALUES (?, ?, ?)",
        [
          .text(RealmSample.key(number)), .integer(RealmSample.amount(number)),
          .text(RealmSample.words(number)),
        ])
    }
  }
}
