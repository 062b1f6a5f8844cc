import HarmonySQLite

/// The tables of the journal file in the current version.
enum JournalSchema {
  private static let version: Int64 = 6
  /// The table of what stores recorded about their changes.
  private static let records =
    "CREATE TABLE records(step INTEGER PRIMARY KEY, spare INTEGER NOT NULL, bytes BLOB NOT NULL)"
  /// The statements that migrate the tables of the version before.
  ///
  /// A record can be large, and an update of its step would write it again.
  private static let migration = """
    \(records);
    INSERT INTO records SELECT number, spare, revision FROM steps WHERE revision IS NOT NULL;
    UPDATE steps SET revision = NULL;
    PRAGMA user_version=\(version);
    """

  /// Creates the tables in a new file, migrates those of an earlier version, and refuses a file of
  /// a much earlier or a later version.
  ///
  /// - Parameters:
  ///   - session: The connection to the file.
  ///   - isToWrite: Whether the file is about to be written. If not, a file of an earlier version
  ///     is left unchanged, so that the version that wrote it can still use it.
  /// - Throws: `SQLiteError`, also if a later version of larder created the file.
  static func prepare(_ session: SQLiteSession, isToWrite: Bool) throws {
    // Deleted values must not stay readable in the file, whatever the build options of SQLite.
    _ = try session.rows("PRAGMA secure_delete=ON")
    let found = try version(session)
    switch found {
    case version: return
    case 0: try make(session)
    case ..<0: throw SQLiteError.notAJournal
    case ..<(version - 1): throw SQLiteError.earlierJournal(found)
    case version - 1:
      guard isToWrite else { return }
      try session.write {
        // Another process may have migrated the file in the meantime.
        if try Self.version(session) < version { try session.execute(migration) }
      }
    default: throw SQLiteError.laterJournal
    }
  }

  /// Returns the table with the records, or what stands for it in a file of an earlier version.
  static func records(_ session: SQLiteSession) throws -> String {
    try version(session) == version
      ? "records" : "(SELECT number AS step, revision AS bytes FROM steps)"
  }

  /// Returns the version of the tables in a file.
  private static func version(_ session: SQLiteSession) throws -> Int64 {
    try session.rows("PRAGMA user_version").first?.first?.integer ?? 0
  }

  /// Creates the tables; `count` is the number of entries of a change if `items` has only the first.
  private static func make(_ session: SQLiteSession) throws {
    try session.execute(
      """
      PRAGMA auto_vacuum=INCREMENTAL;
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS steps(
        number INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, path TEXT NOT NULL,
        collection TEXT, action TEXT NOT NULL, size INTEGER NOT NULL, pending INTEGER NOT NULL,
        was_done INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL, process TEXT NOT NULL,
        redoable INTEGER NOT NULL DEFAULT 1, count INTEGER);
      \(records);
      CREATE INDEX IF NOT EXISTS pending_steps ON steps(path) WHERE pending;
      CREATE INDEX IF NOT EXISTS turns_of_steps ON steps(turn);
      CREATE INDEX IF NOT EXISTS steps_of_stores ON steps(path, collection);
      CREATE TABLE IF NOT EXISTS items(
        step INTEGER NOT NULL, number INTEGER NOT NULL, key BLOB NOT NULL, new_key BLOB,
        before BLOB, after BLOB, done INTEGER NOT NULL, shifted INTEGER NOT NULL,
        known INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(step, number)) WITHOUT ROWID;
      PRAGMA user_version=\(Self.version);
      COMMIT;
      """)
  }
}
