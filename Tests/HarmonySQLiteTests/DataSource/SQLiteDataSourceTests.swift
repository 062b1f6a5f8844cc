import Foundation
import Harmony
@testable import HarmonySQLite
import Synchronization
import Testing

struct SQLiteDataSourceTests {
  private func rows(
    _ file: TestFile, _ sql: String, _ values: [SQLiteValue] = []
  ) async throws -> [[SQLiteValue]] {
    try await SQLiteConnection(path: file.path).perform { try $0.rows(sql, values) }
  }

  @Test func `Values can be read by another source and with plain SQL`() async throws {
    let file = try TestFile()
    let first = SQLiteDataSource<Int>(path: file.path)
    try await first.put(42, forId: "answer").get()
    try await first.putAll([1, 2], forId: "list").get()
    let second = SQLiteDataSource<Int>(path: file.path)
    #expect(try await second.get("answer").get() == 42)
    #expect(try await second.getAll("list").get() == [1, 2])
    let values = try await rows(file, "SELECT value FROM entries WHERE key = 'answer'")
    #expect(values == [[.integer(42)]])
    try await first.put(0, forId: "list").get()
    #expect(try await rows(file, "SELECT * FROM entries_elements").isEmpty)
  }

  @Test func `Calls are executed in order`() async throws {
    let file = try TestFile()
    let source = SQLiteDataSource<Int>(path: file.path)
    var reads: [Future<Int>] = []
    for number in 0..<50 {
      source.put(number, forId: "n")
      reads.append(source.get("n"))
    }
    #expect(try await Future.batch(reads).get() == Array(0..<50))
  }

  @Test func `A callback may close the source`() async throws {
    let file = try TestFile()
    let source = SQLiteDataSource<Int>(path: file.path)
    let value = try await source.put(1, forId: "a").map { value in
      source.close()
      return value
    }.get()
    #expect(value == 1)
    #expect(try await source.get("a").get() == 1)
  }

  @Test func `A call returns before it is executed`() async throws {
    let file = try TestFile()
    try await file.execute("CREATE TABLE other(v)")
    let source = SQLiteDataSource<Int>(path: file.path)
    let connection = SQLiteConnection(path: file.path, access: .writing)
    let future = try await connection.perform { session in
      try session.write {
        try session.run("INSERT INTO other VALUES (1)")
        let future = source.put(1, forId: "a")
        #expect(!future.isResolved)
        return future
      }
    }
    #expect(try await future.get() == 1)
  }

  @Test func `Keys are arbitrary strings, compared by their bytes`() async throws {
    let file = try TestFile()
    let source = SQLiteDataSource<String>(path: file.path)
    let keys = [
      "", "\0", "\0\0", "a", "a\0", "a\0b", "e\u{301}", "z", "\u{E9}", "\u{FFFD}", "\u{FFFF}",
      "\u{10000}", "\u{10FFFF}",
    ]
    for key in keys { source.put("value of \(key)", forId: key) }
    for key in keys { #expect(try await source.get(key).get() == "value of \(key)") }
    let found = try await source.getKeys(AllObjectsQuery()).get()
    #expect(found.map { Array($0.utf8) } == keys.map { Array($0.utf8) })
    #expect(try await source.getKeys(KeyPrefixQuery("a\0")).get() == ["a\0", "a\0b"])
    try await source.delete(KeyPrefixQuery("\0")).get()
    #expect(try await source.countKeys(AllObjectsQuery()).get() == keys.count - 2)
  }

  @Test func `Pages by offset skip entries, not values`() async throws {
    let file = try TestFile()
    let source = SQLiteDataSource<Int>(path: file.path)
    source.put(1, forId: "a")
    source.putAll([2, 3], forId: "b")
    source.putAll([], forId: "c")
    source.put(4, forId: "d")
    for (offset, limit, values) in [
      (0, 2, [1, 2, 3]), (1, 1, [2, 3]), (2, 9, [4]), (4, 9, []), (-1, 1, [1]), (0, -1, []),
      (.max, .max, []),
    ] {
      let query = PaginationOffsetLimitQuery(offset, limit)
      #expect(try await source.getAll(query).get() == values)
    }
  }

  @Test func `A page is found through the index without a scan`() async throws {
    let file = try TestFile()
    try await SQLiteDataSource<Int>(path: file.path).put(1, forId: "a").get()
    let table = SQLiteEntryTable()
    for selection in [
      KeySelection(KeyRange(from: "a", upTo: "z"), after: "k", limit: 10),
      KeySelection(KeyRange(prefix: "a"), after: "ak", limit: 10, isDescending: true),
    ] {
      let span = SQLiteEntrySpan(selection, in: table)
      let plan = try await rows(
        file,
        "EXPLAIN QUERY PLAN SELECT key FROM entries WHERE \(span.condition) \(span.order) LIMIT 9",
        span.bounds)
      guard plan.count == 1, case .text(let step) = plan[0][3] else {
        Issue.record("more than one step: \(plan)")
        continue
      }
      #expect(step.hasPrefix("SEARCH entries USING COVERING INDEX"))
      #expect(step.hasSuffix("(key>? AND key<?)"))
      #expect(span.bounds.contains(.text(selection.after ?? "")))
    }
  }

  @Test func `Several values are written completely or not at all`() async throws {
    let file = try TestFile()
    let source = SQLiteDataSource<Double>(path: file.path)
    try await source.put(1, forId: "a").get()
    await #expect(throws: CoreError.DataSerialization.self) {
      try await source.putAll([2, .nan], in: IdsQuery(["a", "b"])).get()
    }
    try await file.execute(
      """
      CREATE TRIGGER t BEFORE INSERT ON entries WHEN new.key = 'bad'
      BEGIN SELECT RAISE(ABORT, 'not this one'); END;
      CREATE TRIGGER u BEFORE INSERT ON entries WHEN new.key = 'lost'
      BEGIN SELECT RAISE(IGNORE); END;
      """)
    let error = await #expect(throws: SQLiteError.self) {
      try await source.putAll([2, 3], in: IdsQuery(["a", "bad"])).get()
    }
    #expect(error?.message == "not this one")
    await #expect(throws: SQLiteError.self) {
      try await source.putAll([2, 3], in: IdsQuery(["a", "lost"])).get()
    }
    await #expect(throws: SQLiteError.self) { try await source.putAll([2], forId: "lost").get() }
    #expect(try await source.getAll(AllObjectsQuery()).get() == [1])
  }

  @Test func `A cancelled write changes nothing, and the next call is not cancelled`()
    async throws
  {
    let file = try TestFile()
    try await file.execute("CREATE TABLE other(v)")
    let source = SQLiteDataSource<Int>(path: file.path)
    let connection = SQLiteConnection(path: file.path, access: .writing)
    let futures = try await connection.perform { session in
      try session.write {
        try session.run("INSERT INTO other VALUES (1)")
        // The first one waits for the lock or has not begun; the second one waits for the first.
        let futures = [source.put(1, forId: "a"), source.put(2, forId: "b")]
        futures[0].cancel()
        return futures
      }
    }
    await #expect(throws: CancellationError.self) { try await futures[0].get() }
    #expect(try await futures[1].get() == 2)
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["b"])
  }

  @Test func `A released source finishes its pending calls`() async throws {
    let file = try TestFile()
    var source: SQLiteDataSource<Int>? = SQLiteDataSource(path: file.path)
    let future = source?.put(1, forId: "a")
    source = nil
    #expect(try await future?.get() == 1)
    #expect(try await SQLiteDataSource<Int>(path: file.path).get("a").get() == 1)
  }
}
