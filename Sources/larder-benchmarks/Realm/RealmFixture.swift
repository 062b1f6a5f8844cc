import Foundation
import HarmonySQLite

/// A Realm file of one class, and a database of one table with the same rows.
///
/// The file has the form of one that an app exported: up to 256 objects in a leaf, column by
/// column, below nodes of up to 256 children. Realm's own files of the tests have the same.
struct RealmFixture {
  let folder: String
  /// How many objects lie together, and how many children a node above has.
  private static let together = 256

  /// The name of the class and the table.
  static let name = "Entry"
  private static let text =
    "of a store, with words that make it about ninety bytes long, so so, so to say"

  init(folder: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// The key of an object.
  static func key(_ number: Int) -> String {
    "key:\(String(number + 100_000_000).dropFirst()):\(["a", "b", "c"][number % 3])"
  }

  private static func amount(_ number: Int) -> Int64 { Int64(number * 7_919 % 100_003) - 50_000 }

  private static func words(_ number: Int) -> String { "value \(number) \(text)" }

  /// The file of so many objects, of keys, numbers and texts.
  func realm(_ count: Int) throws -> String {
    try once("objects-\(count).realm") { path in
      var writer = try RealmNodeWriter(path: path)
      var level: [Int] = []
      for start in stride(from: 0, to: count, by: Self.together) {
        let numbers = start..<min(start + Self.together, count)
        level.append(
          try writer.refs([
            Self.tagged(numbers.count), try writer.shortTexts(numbers.map(Self.key)),
            try writer.integers(numbers.map(Self.amount)),
            try writer.longTexts(numbers.map(Self.words)),
          ]))
      }
      var depth = 0
      var below = Self.together
      while level.count > 1 {
        depth += 1
        var above: [Int] = []
        for start in stride(from: 0, to: level.count, by: Self.together) {
          let children = level[start..<min(start + Self.together, level.count)]
          let most = min(children.count * below, count - start * below)
          above.append(
            try writer.refs([0, Self.tagged(depth), Self.tagged(most)] + children, .inner))
        }
        level = above
        below *= Self.together
      }
      let root = try level.first ?? writer.refs([Self.tagged(0), 0, 0, 0])
      try writer.finish(top: try Self.top(&writer, root))
    }
  }

  /// The table of the class, and what it hangs from.
  private static func top(_ writer: inout RealmNodeWriter, _ root: Int) throws -> Int {
    // Text, number, text; the first is the primary key.
    let types: [Int64] = [2, 0, 2]
    let columns = types.enumerated().map { Int64($0) | $1 << 16 | Int64($0 + 1) << 30 }
    let spec = try writer.refs([
      try writer.integers(types), try writer.shortTexts(["k", "n", "v"]),
      try writer.integers([0, 0, 0]), 0, 0, try writer.integers(columns),
    ])
    let table = try writer.refs([
      spec, 0, root, tagged(0), try writer.refs([0, 0, 0]), tagged(3), tagged(1),
      try writer.integers(types.map { _ in 0x7FFF_FFFF }),
      try writer.integers(types.map { _ in Int64.max }), tagged(0), 0, tagged(Int(columns[0])),
      tagged(0), 0,
    ])
    let names = try writer.shortTexts(["class_" + name])
    let tables = try writer.refs([table])
    // The state ends behind this node, whose three elements take 2 or 4 bytes each.
    let end = writer.place + (writer.place < 16_000 ? 16 : 24)
    return try writer.refs([names, tables, tagged(end)])
  }

  private static func tagged(_ number: Int) -> Int { number << 1 | 1 }

  /// The database of the same rows.
  func database(_ count: Int) async throws -> String {
    let path = folder + "/objects-\(count).db"
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    print("making \(path) …")
    let unfinished = path + ".part"
    try? FileManager.default.removeItem(atPath: unfinished)
    let connection = SQLiteConnection(path: unfinished, access: .creating)
    try await connection.perform { session in
      try session.execute("PRAGMA synchronous = OFF")
      try session.execute("CREATE TABLE \(Self.name) (k TEXT PRIMARY KEY, n INTEGER, v TEXT)")
      try session.write {
        for number in 0..<count {
          let statement = try session.statement("INSERT INTO \(Self.name) VALUES (?, ?, ?)")
          try statement.bind([
            .text(Self.key(number)), .integer(Self.amount(number)), .text(Self.words(number)),
          ])
          try statement.run()
        }
      }
    }
    connection.close()
    try FileManager.default.moveItem(atPath: unfinished, toPath: path)
    return path
  }

  private func once(_ name: String, _ make: (String) throws -> Void) throws -> String {
    let path = folder + "/" + name
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    print("making \(path) …")
    let unfinished = path + ".part"
    try? FileManager.default.removeItem(atPath: unfinished)
    try make(unfinished)
    try FileManager.default.moveItem(atPath: unfinished, toPath: path)
    return path
  }
}
