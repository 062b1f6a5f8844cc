import Foundation
import HarmonySQLite
import RealmExercise

/// Files to measure, created once in a folder and reused by later runs.
struct Fixture {
  let folder: String

  init(folder: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
  }

  /// The first key of each `kv` table.
  static let firstKey = "key:00000000:a"

  /// Returns the path of a database with a table `kv` of text keys and values of about 90 bytes.
  func keyValues(_ count: Int) throws -> String {
    try database("kv-\(count)", "kv", "(k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID", count) {
      let name = String($0 + 100_000_000).dropFirst()
      return [
        .text("key:\(name):\(["a", "b", "c"][$0 % 3])"),
        .text("value \($0) of a store, with words that make it about ninety bytes long, so so"),
      ]
    }
  }

  /// Returns the path of a Realm file with `count` objects of one class.
  func realm(_ count: Int) throws -> String {
    try file("objects-\(count).realm") { try RealmSample.write(count, to: $0) }
  }

  /// Returns the path of a database with the same rows as ``realm(_:)``.
  func objects(_ count: Int) throws -> String {
    let columns = "(k TEXT PRIMARY KEY, n INTEGER, v TEXT)"
    return try database("objects-\(count)", RealmSample.name, columns, count) {
      [
        .text(RealmSample.key($0)), .integer(RealmSample.amount($0)), .text(RealmSample.words($0)),
      ]
    }
  }

  /// Returns the path of a database with one table.
  func database(
    _ name: String, _ table: String, _ definition: String, _ count: Int,
    row: (Int) -> [SQLiteValue]
  ) throws -> String {
    try file(name + ".db") { path in
      try SQLiteConnection(path: path, access: .creating).wait { session in
        try session.execute("PRAGMA synchronous = OFF; CREATE TABLE \(table) \(definition)")
        let parameters = row(0).map { _ in "?" }.joined(separator: ", ")
        let insert = "INSERT INTO \(table) VALUES (\(parameters))"
        try session.write {
          for number in 0..<count { try session.run(insert, row(number)) }
        }
      }
    }
  }

  /// Returns the path of a file, creating it if necessary.
  private func file(_ name: String, _ write: (String) throws -> Void) throws -> String {
    let path = folder + "/" + name
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    FileHandle.standardError.write(Data("making \(path) …\n".utf8))
    let unfinished = path + ".part"
    try? FileManager.default.removeItem(atPath: unfinished)
    try write(unfinished)
    try FileManager.default.moveItem(atPath: unfinished, toPath: path)
    return path
  }
}
