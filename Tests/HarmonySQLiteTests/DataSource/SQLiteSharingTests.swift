import Foundation
import Harmony
import HarmonySQLite
import TestPrograms
import Testing

/// Several sources, tasks and processes sharing a file.
struct SQLiteSharingTests {
  @Test func `Eight tasks with four sources lose nothing`() async throws {
    let file = try TestFile()
    let sources = (0..<4).map { _ in
      SQLiteDataSource<Int>(path: file.path, busyTimeout: .seconds(60))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        let source = sources[task % 4]
        group.addTask {
          for round in 0..<15 {
            try await source.put(round, forId: "own.\(task)").get()
            #expect(try await source.get("own.\(task)").get() == round)
            let pair = IdsQuery(["left", "right"])
            try await source.putAll([task, task], in: pair).get()
            let both = try await source.getAll(pair).get()
            #expect(both[0] == both[1])
            try await source.putAll(Array(repeating: task, count: task), forId: "list").get()
            let list = try await source.getAll("list").get()
            #expect(Set(list).count <= 1 && list.count == list.first ?? 0)
          }
        }
      }
      try await group.waitForAll()
    }
    let own = try await sources[0].getAll(KeyPrefixQuery("own.")).get()
    #expect(own == Array(repeating: 14, count: 8))
  }

  @Test func `Another process sees and changes the entries`() async throws {
    let file = try TestFile()
    let source = SQLiteDataSource<Int>(path: file.path, busyTimeout: .seconds(60))
    try await source.put(0, forId: "n").get()
    let other = try ChildProcess(
      "sqlite3",
      [
        "-cmd", ".timeout 60000", file.path,
        String(repeating: "UPDATE entries SET value = value + 1 WHERE key = 'n';", count: 50),
      ])
    for round in 0..<50 { try await source.put(round, forId: "mine").get() }
    #expect(other.wait() == 0)
    #expect(try await source.get("n").get() == 50)
    #expect(try await source.get("mine").get() == 49)
  }

  @Test func `A permanent lock causes a busy error, and nothing is changed`() async throws {
    let file = try TestFile()
    let source = SQLiteDataSource<Int>(path: file.path, busyTimeout: .milliseconds(20))
    try await source.put(1, forId: "a").get()
    let holder = SQLiteConnection(path: file.path, access: .writing)
    let result = try await holder.perform { session in
      try session.write {
        try session.run("UPDATE entries SET value = 2")
        return source.put(3, forId: "a").result
      }
    }
    let error = #expect(throws: SQLiteError.self) { try result.get() }
    #expect(error?.code == .busy)
    #expect(try await source.get("a").get() == 2)
  }

  @Test func `Write-ahead logging works like a rollback journal`() async throws {
    let file = try TestFile()
    try await file.execute("PRAGMA journal_mode=wal; CREATE TABLE other(v)")
    let sources = (0..<2).map { _ in SQLiteDataSource<Int>(path: file.path) }
    for number in 0..<20 {
      try await sources[number % 2].put(number, forId: "n").get()
      #expect(try await sources[1 - number % 2].get("n").get() == number)
    }
  }

  @Test func `A removed or replaced file is noticed before the next call`() async throws {
    let file = try TestFile()
    let source = SQLiteDataSource<Int>(path: file.path)
    try await source.put(1, forId: "a").get()
    try FileManager.default.removeItem(atPath: file.path)
    await #expect(throws: CoreError.NotFound.self) { try await source.get("a").get() }
    try await source.put(2, forId: "b").get()
    #expect(try await SQLiteDataSource<Int>(path: file.path).get("b").get() == 2)
    try FileManager.default.removeItem(atPath: file.path)
    try await source.put(3, forId: "c").get()
    #expect(try await SQLiteDataSource<Int>(path: file.path).get("c").get() == 3)
    let other = file.folder + "/other.db"
    try await SQLiteDataSource<Int>(path: other).put(4, forId: "d").get()
    #expect(rename(other, file.path) == 0)
    #expect(try await source.getKeys(AllObjectsQuery()).get() == ["d"])
  }

  @Test func `A dropped table is created again if allowed`() async throws {
    let file = try TestFile()
    let source = SQLiteDataSource<Int>(path: file.path)
    let writer = SQLiteDataSource<Int>(path: file.path, access: .writing)
    try await source.put(1, forId: "a").get()
    try await writer.put(2, forId: "a").get()
    try await file.execute("DROP TABLE entries; DROP TABLE entries_elements")
    await #expect(throws: CoreError.NotFound.self) { try await source.get("a").get() }
    #expect(try await source.countKeys(AllObjectsQuery()).get() == 0)
    try await source.delete("a").get()
    let error = await #expect(throws: SQLiteError.self) {
      try await writer.put(3, forId: "a").get()
    }
    #expect(error?.message == "no such table: entries")
    try await source.put(4, forId: "a").get()
    #expect(try await writer.get("a").get() == 4)
  }

  @Test func `A read-only source creates and changes nothing`() async throws {
    let file = try TestFile()
    let reader = SQLiteDataSource<Int>(path: file.path, access: .reading)
    let writer = SQLiteDataSource<Int>(path: file.path, access: .writing)
    for source in [reader, writer] {
      let error = await #expect(throws: SQLiteError.self) { try await source.get("a").get() }
      #expect(error?.code == .cannotOpen)
    }
    #expect(try file.names() == [])
    try await SQLiteDataSource<Int>(path: file.path).put(1, forId: "a").get()
    #expect(try await reader.get("a").get() == 1)
    let error = await #expect(throws: SQLiteError.self) {
      try await reader.put(2, forId: "a").get()
    }
    #expect(error?.code == .readOnly)
    #expect(try file.names() == ["test.db"])
  }

  @Test func `A file that is not a database is left unchanged`() async throws {
    let file = try TestFile()
    let text = Data(String(repeating: "This is not a database. ", count: 100).utf8)
    try text.write(to: URL(fileURLWithPath: file.path))
    let source = SQLiteDataSource<Int>(path: file.path)
    for future in [source.get("a"), source.put(1, forId: "a")] {
      let error = await #expect(throws: SQLiteError.self) { try await future.get() }
      #expect(error?.code == .notADatabase)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == text)
  }
}
