import HarmonySQLite

/// The tables of the journal file in the current version.
enum JournalSchema {
  /// The first version that can be read.
  private static let first: Int64 = 3
  /// The statements that migrate the tables from each version to the next, starting with the first.
  private static let changes = [
    "ALTER TABLE steps ADD COLUMN spare INTEGER NOT NULL DEFAULT 0",
    // The number of entries of a change for which `items` contains only the first.
    "ALTER TABLE steps ADD COLUMN count INTEGER",
  ]
  private static let version = first + Int64(changes.count)

  /// Creates the tables in a new file, migrates those of an earlier version, and refuses a file of
  /// a much earlier or a later version.
  ///
  /// - Parameters:
  ///   - session: The connection to the file.
  ///   - isToWrite: Whether the file is about to be written. If not, a file of an earlier version
  ///     is left unchanged, so that this version can still use it.
  /// - Throws: `SQLiteError`, also if a later version of larder created the file.
  static func prepare(_ session: SQLiteSession, isToWrite: Bool) throws {
    // Deleted values must not stay readable in the file, whatever the build options of SQLite.
    _ = try session.rows("PRAGMA secure_delete=ON")
    let found = try version(session)
    switch found {
    case version: return
    case 0: try make(session)
    case ..<0: throw SQLiteError.notAJournal
    case ..<first: throw SQLiteError.earlierJournal(found)
    case ..<version:
      guard isToWrite else { return }
      try session.write {
        // Another process may have migrated the file in the meantime.
        let found = try Self.version(session)
        guard found < version else { return }
        for change in changes.dropFirst(Int(found - first)) { try session.execute(change) }
        try session.execute("PRAGMA user_version=\(version)")
      }
    default: throw SQLiteError.laterJournal
    }
  }

  /// Returns the column with the number of entries of a change, or `NULL` if the file is of a version
  /// that does not have it.
  static func count(_ session: SQLiteSession) throws -> String {
    try version(session) == version ? "count" : "NULL"
  }

  /// Returns the version of the tables in a file.
  private static func version(_ session: SQLiteSession) throws -> Int64 {
    try session.rows("PRAGMA user_version").first?.first?.integer ?? 0
  }

  private static func make(_ session: SQLiteSession) throws {
    try session.execute(
      """
      PRAGMA auto_vacuum=INCREMENTAL;
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS steps(
        number INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, path TEXT NOT NULL,
        collection TEXT, action TEXT NOT NULL, size INTEGER NOT NULL, pending INTEGER NOT NULL,
        was_done INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL, process TEXT NOT NULL,
        redoable INTEGER NOT NULL DEFAULT 1, revision BLOB, spare INTEGER NOT NULL DEFAULT 0,
        count INTEGER);
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
