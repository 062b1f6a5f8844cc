import Harmony
import HarmonySQLite
import LarderCore
import LarderStores
import Testing

/// The numbers that a database gives to new rows, after a step that is taken back.
struct NumberSequenceTests {
  private let bench: JournalBench

  init() throws {
    bench = try JournalBench()
  }

  @Test(arguments: ["", "INSERT INTO t(v) VALUES('a'), ('b');"])
  func `A number that is taken back is given again`(contents: String) async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, v); \(contents)")
    let before = try await rows(path, "SELECT * FROM sqlite_sequence")
    let store = try await bench.open(path)
    for _ in 0..<2 {
      try await bench.put(store, .integer(.max), .text("x"))
      try await bench.undo(store)
      #expect(try await rows(path, "SELECT * FROM sqlite_sequence") == before)
      try await bench.undo(store, redo: true)
      try await bench.undo(store)
    }
    try await bench.execute(path, "INSERT INTO t(v) VALUES('next')")
    let next = Int64(before.isEmpty ? 1 : 3)
    #expect(try await rows(path, "SELECT id FROM t WHERE v = 'next'") == [[.integer(next)]])
  }

  @Test func `Numbers that others were given since stay given`() async throws {
    let path = try await bench.folder.database(
      "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, v); INSERT INTO t(v) VALUES('a')")
    let store = try await bench.open(path)
    try await bench.put(store, .integer(100), .text("x"))
    try await bench.execute(path, "INSERT INTO t(v) VALUES('b'); DELETE FROM t WHERE v = 'b'")
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT seq FROM sqlite_sequence") == [[.integer(101)]])
  }

  @Test func `Numbers of rows that triggers added are given again`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v);
      CREATE TABLE au(n INTEGER PRIMARY KEY AUTOINCREMENT, what);
      CREATE TABLE fuller(n INTEGER PRIMARY KEY AUTOINCREMENT, what);
      INSERT INTO fuller VALUES(7, 'x');
      CREATE TRIGGER i AFTER INSERT ON t BEGIN
        INSERT INTO au(what) VALUES(new.k); INSERT INTO fuller(what) VALUES(new.k); END;
      """)
    let before = try await rows(path, "SELECT * FROM sqlite_sequence")
    let store = try await bench.open(path, "t")
    try await bench.put(store, .text("a"), .text("x"))
    #expect(try await rows(path, "SELECT max(n) FROM fuller") == [[.integer(8)]])
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT n FROM fuller") == [[.integer(7)]])
    #expect(try await rows(path, "SELECT * FROM sqlite_sequence") == before)
    try await bench.undo(store, redo: true)
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM sqlite_sequence") == before)
  }

  @Test func `The number of a row that the undo itself sets off is not given again`() async throws {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v);
      CREATE TABLE au(n INTEGER PRIMARY KEY AUTOINCREMENT, what);
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO au(what) VALUES('i'); END;
      CREATE TRIGGER d AFTER DELETE ON t BEGIN INSERT INTO au(what) VALUES('d'); END;
      """)
    let store = try await bench.open(path, "t")
    try await bench.put(store, .text("a"), .text("x"))
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT what FROM au") == [[.text("d")]])
    try await bench.execute(path, "DELETE FROM au; INSERT INTO au(what) VALUES('next')")
    let numbers = try await rows(path, "SELECT n FROM au")
    #expect(numbers != [[.integer(1)]])
  }

  /// A row that has a greater number than was given to any.
  private static let raised = """
    CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, v);
    INSERT INTO t VALUES(1, 'a'); UPDATE t SET id = 77;
    """

  @Test func `A number that was only changed to is not given by bringing its row back`()
    async throws
  {
    let path = try await bench.folder.database(Self.raised)
    let store = try await bench.open(path)
    for _ in 0..<2 {
      try await store.source.delete(EntryQuery(.integer(77))).get()
      try await bench.undo(store)
      #expect(try await rows(path, "SELECT id FROM t") == [[.integer(77)]])
      #expect(try await rows(path, "SELECT seq FROM sqlite_sequence") == [[.integer(1)]])
      try await bench.undo(store, redo: true)
      try await bench.undo(store)
      #expect(try await rows(path, "SELECT seq FROM sqlite_sequence") == [[.integer(1)]])
    }
  }

  @Test func `A number is given again also beside a row that has a greater one`() async throws {
    let path = try await bench.folder.database(Self.raised)
    let store = try await bench.open(path)
    try await bench.put(store, .integer(78), .text("x"))
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT seq FROM sqlite_sequence") == [[.integer(1)]])
  }

  @Test func `The numbers of rows that others added in between stay given`() async throws {
    let path = try await bench.folder.database(Self.raised)
    let store = try await bench.open(path)
    try await bench.put(store, .integer(100), .text("x"))
    try await bench.execute(path, "INSERT INTO t VALUES(90, 'y')")
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT seq FROM sqlite_sequence") == [[.integer(100)]])
  }

  @Test func `A trigger of an undo that adds nothing leaves no trace among the numbers`()
    async throws
  {
    let path = try await bench.folder.database(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, v);
      CREATE TABLE au(n INTEGER PRIMARY KEY AUTOINCREMENT, what);
      CREATE TRIGGER d AFTER DELETE ON t WHEN old.v = 'never' BEGIN
        INSERT INTO au(what) VALUES('d'); END;
      """)
    let store = try await bench.open(path, "t")
    try await bench.put(store, .text("a"), .text("x"))
    try await bench.undo(store)
    #expect(try await rows(path, "SELECT * FROM sqlite_sequence") == [])
    #expect(try store.said() == "")
  }
}
