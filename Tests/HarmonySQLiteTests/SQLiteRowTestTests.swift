@testable import HarmonySQLite
import Testing

/// Rows filtered by a closure of the program inside a statement.
struct SQLiteRowTestTests {
  private static let schema =
    "CREATE TABLE t (k); INSERT INTO t VALUES ('a'), ('b\u{E9}'), (3), (4.5), (x'ff'), (NULL); "
    + "CREATE VIEW sly AS SELECT k FROM t WHERE harmony_keeps(k)"

  @Test func theClosureSeesEveryKindOfValue() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let (seen, kept) = try await connection.perform { session in
      try session.execute(Self.schema)
      var seen: [String] = []
      let kept = try session.testingRows { values in
        if case .integer(7) = values[1], case .null = values[2], values.count == 2 {
        } else {
          seen.append("other columns")
        }
        switch values[0] {
        case .null: seen.append("null")
        case .integer(let number): seen.append("\(number)")
        case .real(let number): seen.append("\(number)")
        case .text(let bytes): seen.append(String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): seen.append("blob \(bytes.count)")
        }
        if case .text = values[0] { return true }
        return false
      } _: {
        try session.rows("SELECT k FROM t WHERE harmony_keeps(k, 7)")
      }
      return (seen, kept)
    }
    #expect(seen == ["a", "b\u{E9}", "3", "4.5", "blob 1", "null"])
    #expect(kept == [[.text("a")], [.text("b\u{E9}")]])
  }

  @Test func `Row tests can be nested and end with their closures`() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let counts = try await connection.perform { session in
      try session.execute(Self.schema)
      func count() throws -> Int {
        try session.rows("SELECT k FROM t WHERE harmony_keeps(k)").count
      }
      return try session.testingRows({ _ in false }) {
        let inner = try session.testingRows({ values in
          if case .null = values[0] { true } else { false }
        }) { try count() }
        return [inner, try count(), try session.testingRows(nil) { try count() }]
      } + [count()]
    }
    #expect(counts == [1, 0, 0, 6])
  }

  @Test func `The schema of a database cannot call the function`() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    await #expect(throws: SQLiteError.self) {
      try await connection.perform { session in
        try session.execute(Self.schema)
        return try session.testingRows({ _ in true }) {
          try session.rows("SELECT * FROM sly").count
        }
      }
    }
  }
}
