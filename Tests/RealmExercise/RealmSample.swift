import Foundation

/// A Realm file of any size with a single class.
///
/// It has the structure of a file written by Realm: leaves of up to 256 objects in columns, below
/// inner nodes of up to 256 children. Each object has a key, a number and a text of about 90 bytes.
package enum RealmSample {
  /// The name of the class.
  package static let name = "Entry"
  /// The maximum number of objects in a leaf and of children in an inner node.
  private static let together = 256
  private static let text =
    "of a store, with words that make it about ninety bytes long, so so, so to say"

  /// Returns the key of an object.
  package static func key(_ number: Int) -> String {
    "key:\(String(number + 100_000_000).dropFirst()):\(["a", "b", "c"][number % 3])"
  }

  /// Returns the number of an object.
  package static func amount(_ number: Int) -> Int64 {
    Int64(number * 7_919 % 100_003) - 50_000
  }

  /// Returns the text of an object.
  package static func words(_ number: Int) -> String { "value \(number) \(text)" }

  /// Creates a file with the given number of objects in the form of an exported copy.
  package static func write(_ count: Int, to path: String) throws {
    var writer = try RealmNodeWriter(path: path)
    let table = try table(&writer, count: count, amount: amount)
    let names = try writer.shortTexts(["class_" + name])
    let tables = try writer.refs([table])
    // The state ends after this node, whose three elements take 2 or 4 bytes each.
    let end = writer.place + (writer.place < 16_000 ? 16 : 24)
    try writer.finish(top: try writer.refs([names, tables, tagged(end)]))
  }

  /// Returns the nodes of a state that starts at an offset.
  ///
  /// - Parameters:
  ///   - version: The version of the state, which all objects store.
  ///   - count: The number of objects.
  ///   - place: The offset of the nodes in the file.
  ///   - fileSize: The size of the file.
  /// - Returns: The nodes and the top reference.
  /// - Throws: An error of the writer.
  package static func state(
    version: Int, count: Int, at place: Int, fileSize: Int
  ) throws -> (bytes: [UInt8], top: Int) {
    var writer = RealmNodeWriter(place: place)
    let table = try table(&writer, count: count) { _ in Int64(version) }
    let top = try writer.refs([
      try writer.shortTexts(["class_" + name]), try writer.refs([table]), tagged(fileSize), 0, 0, 0,
      tagged(version),
    ])
    return (writer.pending, top)
  }

  /// Writes the table of the class with its objects and returns its reference.
  private static func table(
    _ writer: inout RealmNodeWriter, count: Int, amount: (Int) -> Int64
  ) throws -> Int {
    let root = try objects(&writer, count, amount)
    // String, integer, string; the first column is the primary key.
    let types: [Int64] = [2, 0, 2]
    let columns = types.enumerated().map { Int64($0) | $1 << 16 | Int64($0 + 1) << 30 }
    let spec = try writer.refs([
      try writer.integers(types), try writer.shortTexts(["k", "n", "v"]),
      try writer.integers([0, 0, 0]), 0, 0, try writer.integers(columns),
    ])
    return try writer.refs([
      spec, 0, root, tagged(0), try writer.refs([0, 0, 0]), tagged(3), tagged(1),
      try writer.integers(types.map { _ in 0x7FFF_FFFF }),
      try writer.integers(types.map { _ in Int64.max }), tagged(0), 0, tagged(Int(columns[0])),
      tagged(0), 0,
    ])
  }

  private static func objects(
    _ writer: inout RealmNodeWriter, _ count: Int, _ amount: (Int) -> Int64
  ) throws -> Int {
    var level: [Int] = []
    for start in stride(from: 0, to: count, by: together) {
      let numbers = start..<min(start + together, count)
      level.append(
        try writer.refs([
          tagged(numbers.count), try writer.shortTexts(numbers.map(key)),
          try writer.integers(numbers.map(amount)), try writer.longTexts(numbers.map(words)),
        ]))
    }
    var depth = 0
    var below = together
    while level.count > 1 {
      depth += 1
      var above: [Int] = []
      for start in stride(from: 0, to: level.count, by: together) {
        let children = level[start..<min(start + together, level.count)]
        let most = min(children.count * below, count - start * below)
        above.append(try writer.refs([0, tagged(depth), tagged(most)] + children, .inner))
      }
      level = above
      below *= together
    }
    return try level.first ?? writer.refs([tagged(0), 0, 0, 0])
  }

  private static func tagged(_ number: Int) -> Int { number << 1 | 1 }
}
