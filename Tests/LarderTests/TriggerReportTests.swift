import Testing

/// What the command line says of databases that have rules of their own.
@Suite struct TriggerReportTests {
  private let scratch: Scratch
  private var state: [String: String] { ["XDG_STATE_HOME": scratch.file("state")] }

  init() throws {
    scratch = try Scratch()
  }

  private func larder(_ words: String...) throws -> Outcome {
    try Shell.run(Shell.larder, words, environment: state)
  }

  @Test func `What triggers change beside an entry is said, and undone with it`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, v);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p);
      CREATE TRIGGER gone AFTER DELETE ON p BEGIN DELETE FROM c WHERE p = old.id; END;
      INSERT INTO p VALUES (1, 'a'); INSERT INTO c VALUES (10, 1), (11, 1);
      """)
    let removed = try larder("rm", "\(database)#p", "1", "--json")
    #expect(removed.code == 0)
    #expect(removed.lines.count == 1)
    #expect(removed.errors.contains("2 more rows, of \"c\"; undo brings that back"))
    #expect(try scratch.query(database, "SELECT * FROM c") == [])
    #expect(try larder("undo").code == 0)
    #expect(try scratch.query(database, "SELECT id || ',' || p FROM c") == ["10,1", "11,1"])
    let again = try larder("rm", "\(database)#p", "1", "--no-journal")
    #expect(again.errors.contains("2 more rows, of \"c\""))
    #expect(!again.errors.contains("undo"))
  }

  @Test func `A key that is no number is refused in a sentence that says what to do`() throws {
    let database = try scratch.database("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
    let put = try larder("put", database, "text-key", "x")
    #expect(put.code == 3)
    #expect(put.errors.contains("whole number") && put.errors.contains("Give a number"))
    #expect(!put.errors.contains("mismatch"))
  }

  @Test func `A trigger that names a missing table is said to be the reason`() throws {
    let database = try scratch.database(
      """
      CREATE TABLE t (k TEXT PRIMARY KEY, v);
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO nowhere VALUES (1); END;
      """)
    let put = try larder("put", database, "k", "x")
    #expect(put.code == 3)
    #expect(put.errors.contains("nowhere") && put.errors.contains("trigger"))
    #expect(put.errors.contains("nothing was written"))
  }

  @Test func `A change that cannot be one step is not called read-only`() throws {
    let file = try scratch.file("a.json", #"{"b": [{"x": 1}, {"x": 2}]}"#.utf8)
    let refused = try larder("rm", file, "/b/0", "/b/1/x")
    #expect(refused.code == 3)
    #expect(refused.errors.contains("in one step"))
  }
}
