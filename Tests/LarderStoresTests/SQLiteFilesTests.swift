import LarderJournal
import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import Testing

struct SQLiteFilesTests {
  private static let table = "CREATE TABLE t(k TEXT PRIMARY KEY, v); INSERT INTO t VALUES('a', 1)"

  @Test(arguments: ["delete", "truncate", "persist", "wal"])
  func `Reading creates no file and leaves no lock`(_ mode: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.database("PRAGMA journal_mode=\(mode); \(Self.table)")
    let names = try folder.names()
    let bytes = try folder.bytes("test.db")
    let store = try await Stores.store(path, options: OpenOptions(isReadOnly: true))
    #expect(try await store.keys() == [.text("a")])
    #expect(try await store.value(.text("a")) == .integer(1))
    _ = try await store.source.get(CountQuery(filter: EntryFilter(.text("a")))).get()
    #expect(try folder.names() == names)
    #expect(try folder.bytes("test.db") == bytes)
    let other = SQLiteConnection(path: path, access: .writing, busyTimeout: .zero)
    try await other.perform {
      try $0.execute("BEGIN EXCLUSIVE; COMMIT; PRAGMA journal_mode=delete")
    }
    #expect(try await store.keys() == [.text("a")])
  }

  @Test(arguments: ["delete", "wal"])
  func `Changes by other programs are seen`(_ mode: String) async throws {
    let folder = try TestFolder()
    let path = try await folder.database("PRAGMA journal_mode=\(mode); \(Self.table)")
    let store = try await Stores.store(path)
    #expect(try await store.keys() == [.text("a")])
    let other = SQLiteConnection(path: path, access: .creating)
    try await other.perform { session in
      // The WAL exists as long as this session is open.
      let keys = { try store.source.getAll(EntryPageQuery()).result.get().map(\.key) }
      try session.execute("INSERT INTO t VALUES('b', 2)")
      #expect(try keys() == [.text("a"), .text("b")])
      try session.execute("INSERT INTO t VALUES('c', 3)")
      #expect(try keys() == [.text("a"), .text("b"), .text("c")])
      let entry = Entry(key: .text("d"), value: .integer(4))
      _ = try store.source.put(entry, in: ReplaceQuery(.text("d"), expecting: nil)).result.get()
      #expect(try session.rows("SELECT v FROM t WHERE k = 'd'") == [[.integer(4)]])
      #expect(try folder.names().count == (mode == "wal" ? 3 : 1))
    }
    #expect(try await store.keys().count == 4)
    try await store.set(.integer(5), .text("e"))
    #expect(try await store.keys().count == 5)
    #expect(try folder.names() == ["test.db"])
  }

  @Test func `A WAL without an open connection is read without creating files`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database("PRAGMA journal_mode=wal; \(Self.table)", name: "live.db")
    let live = SQLiteConnection(path: path, access: .creating)
    try await live.perform { session in
      try session.execute("INSERT INTO t VALUES('b', 2)")
      try FileManager.default.copyItem(atPath: path, toPath: folder.file("copy.db"))
      try FileManager.default.copyItem(atPath: path + "-wal", toPath: folder.file("copy.db-wal"))
    }
    live.close()
    let names = try folder.names()
    let bytes = try folder.bytes("copy.db") + folder.bytes("copy.db-wal")
    let store = try await Stores.store(folder.file("copy.db"))
    #expect(try await store.keys() == [.text("a"), .text("b")])
    #expect(try folder.names() == names)
    #expect(try folder.bytes("copy.db") + folder.bytes("copy.db-wal") == bytes)
  }

  @Test func `A replaced file is read again`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(Self.table)
    let other = try await folder.database(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, x, y); INSERT INTO t VALUES(7, 8, 9)",
      name: "other.db")
    let store = try await Stores.store(path)
    #expect(try await store.keys() == [.text("a")])
    #expect(rename(other, path) == 0)
    #expect(try await store.keys() == [.integer(7)])
    try await SQLiteConnection(path: path, access: .writing).perform {
      try $0.execute("ALTER TABLE t ADD COLUMN z DEFAULT 1")
    }
    #expect(
      try await store.value(.integer(7))
        == .record([.init("x", .integer(8)), .init("y", .integer(9)), .init("z", .integer(1))]))
  }

  @Test func `A locked database is busy and stays intact`() async throws {
    let folder = try TestFolder()
    let path = try await folder.database(Self.table)
    let bytes = try folder.bytes("test.db")
    let store = try await Stores.store(path, options: OpenOptions(busyTimeout: .zero))
    let holder = LockHolder(path)
    try await holder.begin()
    await #expect {
      try await store.keys()
    } throws: { error in
      guard case .busy(let text) = StoreError(error) else { return false }
      return text.contains("locked by an unknown process")
    }
    await #expect {
      _ = try await Stores.open(
        StoreLocation(path: path), options: OpenOptions(busyTimeout: .zero))
    } throws: { error in
      if case .busy = StoreError(error) { true } else { false }
    }
    try await holder.end()
    #expect(try await store.keys() == [.text("a")])
    #expect(try folder.bytes("test.db") == bytes)
  }

  static let badFiles: [(name: String, bytes: [UInt8], says: String)] = [
    ("empty.db", [], "is empty (0 bytes)"),
    ("text.db", Array("hello, world\nmore".utf8), "it is text"),
    ("letters.db", Array("Größe der Früchte: zwölf Äpfel, ü".utf8), "it is text"),
    ("cut.db", [0x41, 0xFF, 0xFF, 0xFF], "the bytes 41 ff ff ff"),
    ("latin.db", [0x63, 0x61, 0x66, 0xE9], "the bytes 63 61 66 e9"),
    ("blank.db", Array("\n \n".utf8), "it is text"),
    ("escape.db", Array("a\u{1B}[2J".utf8), "the bytes 61 1b 5b 32 4a"),
    (
      "random.db", (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 201) }, "the bytes c9 70"
    ),
    ("header.db", Array("SQLite format 3\0".utf8), "is truncated: 16 bytes"),
    (
      "noise.db",
      Array("SQLite format 3\0".utf8) + (0..<8000).map { UInt8(truncatingIfNeeded: $0) },
      "is not a readable database"
    ),
  ]

  @Test func `An error about a text file does not quote it`() async throws {
    let folder = try TestFolder()
    let path = try folder.write(Array("password=hunter2\n".utf8), to: "a.conf")
    let error = await #expect(throws: StoreError.self) {
      try await Stores.open(StoreLocation(path: path))
    }
    #expect(
      error.map { !$0.message.contains("hunter2") && !$0.message.contains("password") } == true)
  }

  @Test(arguments: badFiles.indices)
  func `An invalid file is named and left alone`(_ index: Int) async throws {
    let folder = try TestFolder()
    let file = Self.badFiles[index]
    let path = try folder.write(file.bytes, to: file.name)
    await #expect {
      let open = try await Stores.open(StoreLocation(path: path))
      _ = try await open.store(nil)
    } throws: { error in
      let text = StoreError(error).message
      #expect(text.contains(file.says), "\(text)")
      #expect(text.contains(path) && !text.hasSuffix("."))
      return true
    }
    #expect(try folder.bytes(file.name) == file.bytes)
    #expect(try folder.names() == [file.name])
  }

  @Test func `A truncated or corrupted database never traps`() async throws {
    let folder = try TestFolder()
    let rows = (0..<300).map { "('key\($0)', '\(String(repeating: "v", count: 40))')" }
    let path = try await folder.database(
      "PRAGMA page_size=512; CREATE TABLE t(k TEXT PRIMARY KEY, v);"
        + "INSERT INTO t VALUES \(rows.joined(separator: ","))")
    let whole = try folder.bytes("test.db")
    try FileManager.default.removeItem(atPath: path)
    var seed: UInt64 = 1
    for round in 0..<60 {
      var bytes = whole
      if round < 30 {
        bytes.removeLast(whole.count * round / 31 + 1)
      } else {
        for _ in 0..<40 {
          seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          bytes[100 + Int(seed >> 33) % (bytes.count - 100)] = UInt8(truncatingIfNeeded: seed >> 24)
        }
      }
      let name = "bad\(round).db"
      let bad = try folder.write(bytes, to: name)
      do {
        let open = try await Stores.open(StoreLocation(path: bad))
        let store = try await open.store(nil)
        _ = try await store.keys(pages: 50)
        _ = try await store.source.getAll(EntryPageQuery(detail: .values)).get()
        _ = try await store.source.get(CountQuery(filter: EntryFilter(.text("v"), in: .values)))
          .get()
        #expect(round >= 30)
      } catch {
        #expect(!StoreError(error).message.isEmpty)
      }
      #expect(try folder.bytes(name) == bytes)
      try FileManager.default.removeItem(atPath: bad)
      #expect(try folder.names() == [])
    }
  }

  /// Returns a copy of a database whose writer was killed in the middle of a transaction, with its
  /// rollback journal.
  private func unfinishedWrite(in folder: TestFolder) async throws -> String {
    let path = try await folder.database(Self.table + "; INSERT INTO t VALUES('before', 1)")
    let writer = SQLiteConnection(path: path, access: .writing)
    let copies = [folder.file("hot.db"), folder.file("hot.db-journal")]
    try await writer.perform { session in
      try session.execute(
        "PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN IMMEDIATE;"
          + "WITH n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 3000)"
          + "INSERT INTO t SELECT 'key' || i, randomblob(100) FROM n")
      try FileManager.default.copyItem(atPath: path, toPath: copies[0])
      try FileManager.default.copyItem(atPath: path + "-journal", toPath: copies[1])
    }
    writer.close()
    return copies[0]
  }

  @Test func `An unfinished write is rolled back when the database is opened`() async throws {
    let folder = try TestFolder()
    let path = try await unfinishedWrite(in: folder)
    let store = try await Stores.store(path)
    #expect(try await store.keys() == [.text("a"), .text("before")])
    #expect(try folder.names() == ["hot.db", "test.db"])
  }

  @Test func `An unfinished write is explained if the store is read-only`() async throws {
    let folder = try TestFolder()
    let path = try await unfinishedWrite(in: folder)
    let bytes = try folder.bytes("hot.db")
    var options = OpenOptions()
    options.isReadOnly = true
    await #expect {
      let open = try await Stores.open(StoreLocation(path: path), options: options)
      _ = try await open.store(nil).source.getAll(EntryPageQuery()).get()
    } throws: { error in
      StoreError(error).message.contains("unfinished write")
    }
    #expect(try folder.bytes("hot.db") == bytes)
    #expect(try folder.names() == ["hot.db", "hot.db-journal", "test.db"])
  }

  @Test func `A missing file or collection is named`() async throws {
    let folder = try TestFolder()
    for (path, says) in [
      (folder.file("none.db"), "does not exist"), (folder.file("a/b/c"), "does not exist"),
      ("", "does not exist"), ("/dev/null", "neither a file nor a folder"),
    ] {
      await #expect {
        _ = try await Stores.open(path)
      } throws: { error in
        StoreError(error).message.contains(says)
      }
    }
    let path = try await folder.database(
      "CREATE TABLE a(x); CREATE TABLE b(x)", name: "with space #1%41?mode=rw&x.db")
    #expect(try Stores.location(fromText: path) == StoreLocation(path: path))
    #expect(
      try Stores.location(fromText: path + "#b") == StoreLocation(path: path, collection: "b"))
    let open = try await Stores.open(path)
    for (collection, says) in [(nil, "add #NAME for one of a, b"), ("c", "no table or view “c”")]
      as [(String?, String)]
    {
      await #expect {
        _ = try await open.store(collection)
      } throws: { error in
        StoreError(error).message.contains(says)
      }
    }
    let store = try await open.store("b")
    try await store.set(.record([.init("x", .integer(1))]), .integer(1))
    #expect(try folder.names() == [URL(fileURLWithPath: path).lastPathComponent])
  }
}

/// An exclusive lock on a database, held until it is released.
private final class LockHolder: Sendable {
  private let connection: SQLiteConnection

  init(_ path: String) {
    connection = SQLiteConnection(path: path, access: .creating)
  }

  func begin() async throws {
    // Unlike an open transaction, this lock outlives the operation.
    try await connection.perform { session in
      try session.execute("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
    }
  }

  func end() async throws {
    connection.close()
  }
}
