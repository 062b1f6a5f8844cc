import Harmony
import HarmonySQLite
import LarderCore

/// A table or view of a database, whose layout is read again when the schema changes.
final class SQLiteTable: Sendable {
  let database: SQLiteDatabase
  let name: String
  /// What a person said of its expiry.
  let choice: ExpiryChoice
  private let known = Locked<Known?>(nil)

  /// A layout, and the file and schema that it was read from.
  private struct Known: Sendable {
    let file: SQLiteFile.Identity?
    let version: Int64
    let layout: TableLayout
  }

  init(_ database: SQLiteDatabase, name: String, choice: ExpiryChoice = ExpiryChoice()) {
    self.database = database
    self.name = name
    self.choice = choice
  }

  /// What the table is made of now.
  ///
  /// - Throws: ``StoreError`` where the table is gone, and ``SQLiteError``.
  func layout(_ session: SQLiteSession) throws -> TableLayout {
    let version = try TableCatalogue.version(session)
    if let known = known.withLock({ $0 }), known.version == version, known.file == session.file {
      return known.layout
    }
    guard let found = try TableCatalogue.layouts(session, named: name).first else {
      throw StoreError.cannotOpen("\(database.path) has no table or view \"\(name)\" any more")
    }
    // What cannot be sampled can perhaps still be read.
    let layout = (try? found.recognisingExpiry(choice, session)) ?? found
    known.withLock { $0 = Known(file: session.file, version: version, layout: layout) }
    return layout
  }
}
