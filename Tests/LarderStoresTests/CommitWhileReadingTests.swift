import LarderJournal
import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderStores
import TestPrograms
import Testing

/// Reading a WAL database without locks while another process writes to it.
struct CommitWhileReadingTests {
  /// The number of rows, which always hold the same number: enough to fill many pages of the file.
  private static let rows = 600
  private let folder: TestFolder
  private let path: String

  init() async throws {
    folder = try TestFolder()
    path = try await folder.database(
      """
      PRAGMA page_size=512; PRAGMA journal_mode=wal;
      CREATE TABLE t(k INTEGER PRIMARY KEY, v, filler);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows))
        INSERT INTO t SELECT i, 0, hex(zeroblob(50)) FROM n;
      """)
  }

  /// The other program opens the database either before the read or during it.
  @Test(arguments: [true, false])
  func `A commit during a scan is not mixed with the previous state`(
    isOpenBefore: Bool
  ) async throws {
    let program = Locked(isOpenBefore ? try WritingProgram(path) : nil)
    let readings = Counter()
    let connection = SQLiteConnection(path: path)
    let seen = try await connection.perform { [path] session in
      let isFirst = readings.next() == 0
      let statement = try session.statement("SELECT v FROM t")
      var seen: Set<Int64> = []
      var count = 0
      while try statement.step() {
        if case .integer(let number) = statement.value(at: 0) { seen.insert(number) }
        count += 1
        guard isFirst, count == Self.rows / 2 else { continue }
        try program.withLock { program in
          let open = try program ?? WritingProgram(path)
          program = open
          // The second commit overwrites the pages of the first in the log, then truncates it.
          for _ in 0..<2 { try open.commit() }
        }
      }
      #expect(!isFirst || count <= Self.rows)
      return count == Self.rows ? seen : []
    }
    #expect(seen == [2])
    #expect(readings.next() == 2, "what was read first was not read again")
    connection.close()
    #expect(try folder.names() == ["test.db", "test.db-shm", "test.db-wal"])
    program.withLock { $0 = nil }
    #expect(try folder.names() == ["test.db"])
  }

  @Test func `Each page shows the latest committed state and writers are not blocked`() async throws
  {
    let program = try WritingProgram(path)
    let store = try await Stores.store(path, options: OpenOptions(isReadOnly: true))
    var after: EntryKey?
    var found: [Set<StoredValue>] = []
    while true {
      let query = EntryPageQuery(after: after, limit: 150, detail: .values)
      let page = try await store.source.getAll(query).get()
      guard let last = page.last else { break }
      after = last.key
      found.append(Set(page.compactMap { $0.value?.field("v") }))
      try program.commit()
    }
    #expect(found == (0..<4).map { [.integer($0)] })
  }

  @Test func `A read sees one state however often another process commits`() async throws {
    let program = try WritingProgram(path)
    let store = try await Stores.store(path, options: OpenOptions(isReadOnly: true))
    try program.commitAllTheTime()
    var states: Set<StoredValue> = []
    for _ in 0..<60 {
      let entries = try await store.source.getAll(AllObjectsQuery()).get()
      #expect(entries.count == Self.rows)
      let values = Set(entries.compactMap { $0.value?.field("v") })
      #expect(values.count == 1)
      states.formUnion(values)
    }
    #expect(states.count > 1)
  }
}

extension StoredValue {
  /// Returns the value of a column of a record.
  fileprivate func field(_ name: String) -> StoredValue? {
    guard case .record(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }
}

/// Another process that has a database open and commits on request, until this object is
/// deallocated.
private final class WritingProgram: Sendable {
  private let process: ChildProcess
  private let words: FileHandle
  private let answers: FileHandle
  private static let script = """
    import sqlite3, sys, threading
    db = sqlite3.connect(sys.argv[1], isolation_level=None, check_same_thread=False, timeout=60)
    def commit():
        db.execute("BEGIN IMMEDIATE")
        db.execute("UPDATE t SET v = v + 1")
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    db.execute("SELECT count(*) FROM t").fetchall()
    print("ready", flush=True)
    ended = threading.Event()
    def churn():
        while not ended.is_set(): commit()
    worker = None
    for word in iter(sys.stdin.readline, ""):
        if word == "churn\\n":
            worker = threading.Thread(target=churn)
            worker.start()
        elif word == "commit\\n": commit()
        else: break
        print("ready", flush=True)
    ended.set()
    if worker: worker.join()
    db.close()
    """

  init(_ path: String) throws {
    let folder = NSTemporaryDirectory() + "/" + UUID().uuidString
    let pipes = ["in", "out"].map { folder + "-" + $0 }
    defer { for pipe in pipes { unlink(pipe) } }
    for pipe in pipes { try #require(mkfifo(pipe, 0o600) == 0) }
    // Each end is opened for reading and writing, so that neither side blocks.
    let ends = pipes.map { open($0, O_RDWR | O_CLOEXEC) }
    words = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    answers = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    process = try ChildProcess(
      "python3", ["-c", Self.script, path], input: pipes[0], output: pipes[1])
    try awaitAnswer()
  }

  deinit {
    try? words.write(contentsOf: Data("end\n".utf8))
    process.wait()
  }

  func commit() throws { try say("commit") }

  func commitAllTheTime() throws { try say("churn") }

  private func say(_ word: String) throws {
    try words.write(contentsOf: Data((word + "\n").utf8))
    try awaitAnswer()
  }

  private func awaitAnswer() throws {
    var answer = Data()
    while answer.last != UInt8(ascii: "\n") {
      answer += try #require(try answers.read(upToCount: 1))
    }
    try #require(answer == Data("ready\n".utf8))
  }
}
