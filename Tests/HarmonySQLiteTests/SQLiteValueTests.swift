import Foundation
import HarmonySQLite
import Testing

/// A database file in a temporary folder, which is removed with this object.
final class TestFile: Sendable {
  let folder: String
  let path: String

  init(_ name: String = "test.db") throws {
    folder = NSTemporaryDirectory() + "/larder-" + UUID().uuidString
    path = folder + "/" + name
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Runs a script on the file, which is created if necessary.
  func execute(_ script: String) async throws {
    let connection = SQLiteConnection(path: path, access: .creating)
    try await connection.perform { try $0.execute(script) }
    connection.close()
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }
}

struct SQLiteValueTests {
  static let values: [SQLiteValue] = [
    .null, .integer(.min), .integer(0), .integer(.max), .real(-0.0), .real(.infinity),
    .real(.leastNonzeroMagnitude), .text(""), .text("é"), .text("e\u{301}"), .text("a\0b"),
    .text("\u{1F600}"),
    .malformedText([0xFF, 0x41]), .malformedText([0xC3]), .blob([]), .blob([0, 255, 0]),
    .text(String(repeating: "x", count: 1_000_000)), .blob(Array(repeating: 7, count: 1_000_000)),
  ]

  @Test(arguments: values.indices)
  func `Values survive a round trip`(_ index: Int) async throws {
    let value = Self.values[index]
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let read = try await connection.perform { session in
      try session.execute("CREATE TABLE t(v)")
      try session.run("INSERT INTO t VALUES(?)", [value])
      return try session.rows("SELECT v FROM t")
    }
    #expect(read == [[value]])
  }

  @Test func notANumberIsStoredAsNull() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let read = try await connection.perform { try $0.rows("SELECT ?", [.real(.nan)]) }
    #expect(read == [[.null]])
  }

  @Test func anyNameCanBeQuoted() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    for name in ["", "a b", "a\"b", "a'b", "a.b", "é", "select", "]", "`", "--", "?1"] {
      let quoted = SQLiteIdentifier.quoted(name)
      let columns = try await connection.perform { session in
        try session.execute("CREATE TABLE \(quoted)(\(quoted))")
        let statement = try session.statement("SELECT * FROM \(quoted)")
        return (0..<statement.columnCount).map { statement.columnName($0) }
      }
      #expect(columns == [name])
    }
  }

  @Test func `Bytes are accessed without a copy`() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let lengths = try await connection.perform { session in
      let statement = try session.statement("SELECT 'é', x'0001', 12, NULL")
      _ = try statement.step()
      return (0..<4).map { statement.withBytes(at: $0) { Array($0).count } }
    }
    #expect(lengths == [2, 2, 2, 0])
  }
}
