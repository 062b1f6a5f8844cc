import Foundation
@testable import HarmonySQLite
import Synchronization
import TestPrograms
import Testing

struct SQLiteConnectionTests {
  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"

  @Test func `A repeated statement is compiled once`() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let count = try await connection.perform { session in
      try session.execute("CREATE TABLE t (n INTEGER)")
      for number in 0..<1_000 {
        try session.run("INSERT INTO t VALUES (?)", [.integer(Int64(number))])
        _ = try session.rows("SELECT max(n) FROM t")
        let isThere = try session.query("SELECT 1 FROM t WHERE n = ?", [.integer(Int64(number))]) {
          try $0.step()
        }
        guard isThere else { return -number }
      }
      return session.statementCount
    }
    #expect(1...5 ~= count)
  }

  @Test func anOperationCancelledBeforeItStartsNeverRuns() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let cancellation = SQLiteCancellation()
    cancellation.cancel()
    let hasRun = Atomic(false)
    let result = await withCheckedContinuation { continuation in
      connection.perform(cancellation: cancellation) { _ in
        hasRun.store(true, ordering: .relaxed)
      } completion: {
        continuation.resume(returning: $0)
      }
    }
    #expect(throws: SQLiteError.self) { try result.get() }
    let ran = hasRun.load(ordering: .relaxed)
    #expect(!ran)
  }

  @Test func aRunningStatementIsInterruptedAndTheNextIsNot() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    for _ in 0..<20 {
      let cancellation = SQLiteCancellation()
      let error = await withCheckedContinuation { continuation in
        connection.perform(cancellation: cancellation) { session in
          // Cancelled between two statements of the operation: the interrupt must persist.
          try session.run("SELECT 1")
          cancellation.cancel()
          try session.run(Self.endless)
        } completion: { (result: Result<Void, any Error>) in
          if case .failure(let error) = result {
            continuation.resume(returning: error as? SQLiteError)
          } else {
            continuation.resume(returning: nil)
          }
        }
      }
      #expect(error?.code == .interrupted)
      let rows = try await connection.perform { try $0.rows("SELECT 2") }
      #expect(rows == [[.integer(2)]])
      cancellation.cancel()
      let more = try await connection.perform { try $0.rows("SELECT 3") }
      #expect(more == [[.integer(3)]])
    }
  }

  @Test func aCancelledTaskStopsItsStatement() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .creating)
    let (started, start) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await connection.perform { session in
        start.yield()
        try session.run(Self.endless)
      }
    }
    for await _ in started { break }
    task.cancel()
    await #expect(throws: SQLiteError.self) { try await task.value }
  }

  @Test func aCancelledWriteIsRolledBack() async throws {
    let file = try TestFile()
    try await file.execute("CREATE TABLE t(v)")
    let connection = SQLiteConnection(path: file.path, access: .writing)
    let cancellation = SQLiteCancellation()
    let result = await withCheckedContinuation { continuation in
      connection.perform(cancellation: cancellation) { session in
        try session.write {
          try session.run("INSERT INTO t VALUES(1)")
          cancellation.cancel()
          try session.run("INSERT INTO t VALUES(2)")
        }
      } completion: {
        continuation.resume(returning: $0)
      }
    }
    #expect(throws: SQLiteError.self) { try result.get() }
    let other = SQLiteConnection(path: file.path, access: .writing, busyTimeout: .zero)
    let rows = try await other.perform { session in
      try session.write { try session.rows("SELECT * FROM t") }
    }
    #expect(rows.isEmpty)
  }

  @Test func `Statements left open by an operation are closed`() async throws {
    let file = try TestFile()
    try await file.execute("CREATE TABLE t(v); INSERT INTO t VALUES(1), (2)")
    let reader = SQLiteConnection(path: file.path)
    try await reader.perform { session in
      _ = try session.statement("SELECT v FROM t").step()
      try session.run("BEGIN")
    }
    let writer = SQLiteConnection(path: file.path, access: .writing, busyTimeout: .zero)
    try await writer.perform { session in
      try session.execute("BEGIN EXCLUSIVE; INSERT INTO t VALUES(3); COMMIT")
      _ = try session.statement("INSERT INTO t VALUES(4) RETURNING v").step()
      try session.run("BEGIN IMMEDIATE")
    }
    let rows = try await reader.perform { try $0.rows("SELECT count(*) FROM t") }
    #expect(rows == [[.integer(4)]] || rows == [[.integer(3)]])
    let other = SQLiteConnection(path: file.path, access: .writing, busyTimeout: .zero)
    try await other.perform { try $0.write {} }
  }

  @Test func aThrowRollsBack() async throws {
    let file = try TestFile()
    try await file.execute("CREATE TABLE t(v)")
    let connection = SQLiteConnection(path: file.path, access: .writing)
    struct Stop: Error {}
    await #expect(throws: Stop.self) {
      try await connection.perform { session in
        try session.write {
          try session.run("INSERT INTO t VALUES(1)")
          throw Stop()
        }
      }
    }
    #expect(try await connection.perform { try $0.rows("SELECT * FROM t") }.isEmpty)
  }

  @Test func `Errors contain the database's message and no values`() async throws {
    let file = try TestFile()
    try await file.execute("CREATE TABLE t(k TEXT PRIMARY KEY)")
    let connection = SQLiteConnection(path: file.path, access: .writing)
    let error = await #expect(throws: SQLiteError.self) {
      try await connection.perform { session in
        for _ in 0..<2 { try session.run("INSERT INTO t VALUES(?)", [.text("secret")]) }
      }
    }
    #expect(error?.code == .constraint)
    #expect(error?.extendedCode.rawValue == 1555)
    #expect(error?.message == "UNIQUE constraint failed: t.k")
    #expect(error?.sql == "INSERT INTO t VALUES(?)")
    #expect(error.map { "\($0)".contains("secret") } == false)
    for sql in ["", "  ", "-- nothing", "SELEC", "SELECT * FROM nowhere"] {
      await #expect(throws: SQLiteError.self) { try await connection.perform { try $0.run(sql) } }
    }
    await #expect(throws: SQLiteError.self) {
      try await connection.perform { try $0.run("SELECT 1", [.integer(1)]) }
    }
  }

  @Test func aReaderCannotWrite() async throws {
    let file = try TestFile()
    try await file.execute("CREATE TABLE t(v)")
    let connection = SQLiteConnection(path: file.path)
    let error = await #expect(throws: SQLiteError.self) {
      try await connection.perform { try $0.run("INSERT INTO t VALUES(1)") }
    }
    #expect(error?.code == .readOnly)
    #expect(try file.names() == ["test.db"])
  }

  @Test func `Write access does not create a file`() async throws {
    let file = try TestFile()
    let connection = SQLiteConnection(path: file.path, access: .writing)
    await #expect(throws: SQLiteError.self) { try await connection.perform { try $0.write {} } }
    #expect(try file.names() == [])
  }

  @Test func pathsAreNeverParameters() async throws {
    for name in ["a?mode=rwc&x=.db", "a#b.db", "a%41.db", "é ü.db", "a&b.db", "a\nb.db"] {
      let file = try TestFile(name)
      try await file.execute("CREATE TABLE t(v)")
      #expect(try file.names() == [name])
      let rows = try await SQLiteConnection(path: file.path).perform {
        try $0.rows("SELECT count(*) FROM t")
      }
      #expect(rows == [[.integer(0)]])
    }
  }

  @Test func manyConnectionsToOneFileKeepTheirLocks() async throws {
    let file = try TestFile()
    try await file.execute("CREATE TABLE t(v)")
    let writer = SQLiteConnection(path: file.path, access: .writing)
    try await writer.perform { session in
      try session.write {
        try session.run("INSERT INTO t VALUES(1)")
        // Opening, reading and closing the file elsewhere must not release the lock.
        _ = try SQLiteFile.at(file.path).firstBytes(16)
        let descriptor = open(file.path, O_RDONLY)
        SQLiteFile.close(descriptor)
        let locked = try ChildProcess("sqlite3", [file.path, "BEGIN IMMEDIATE"])
        #expect(locked.wait() != 0)
      }
    }
  }
}
