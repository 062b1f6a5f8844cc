import HarmonySQLite
import Testing

@testable import LarderJournal
@testable import LarderStores

/// Traces of deleted values in the journal file.
struct ForgottenValuesTests {
  @Test func `A connection that writes the journal overwrites what is deleted`() async throws {
    let folder = try TestFolder()
    let connection = SQLiteConnection(path: folder.file("journal.db"), access: .creating)
    // The default of an SQLite library built without `SQLITE_SECURE_DELETE`.
    let answers = try await connection.perform { session in
      _ = try session.rows("PRAGMA secure_delete=OFF")
      let before = try session.rows("PRAGMA secure_delete")
      try JournalSchema.prepare(session, isToWrite: true)
      return before + (try session.rows("PRAGMA secure_delete"))
    }
    #expect(answers == [[.integer(0)], [.integer(1)]])
  }
}
