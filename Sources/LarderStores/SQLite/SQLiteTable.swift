import Harmony
import HarmonySQLite
import LarderModel

/// A table or view of a database, whose layout is read again when the schema changes.
final class SQLiteTable: Sendable {
  let database: SQLiteDatabase
  let name: String
  /// What a user said of its expiry.
  let choice: ExpiryChoice
  private let known = Locked<Known?>(nil)

  /// A layout, and the file and schema that it was read from.
  private struct Known: Sendable {
    let file: SQLiteFile.Identity?
    let version: Int64
    let layout: TableLayout
    /// What the rows were at that the expiry was looked for in.
    let rows: [SQLiteValue]
  }

  /// Describes a table.
  ///
  /// - Parameters:
  ///   - database: Where it is.
  ///   - name: Its name.
  ///   - choice: What a user said of its expiry.
  ///   - catalogue: Layouts with what rows say of an expiry, by that choice.
  init(
    _ database: SQLiteDatabase, name: String, choice: ExpiryChoice = ExpiryChoice(),
    in catalogue: KnownLayouts? = nil
  ) {
    self.database = database
    self.name = name
    self.choice = choice
    guard let catalogue, let layout = catalogue[name] else { return }
    known.withLock {
      $0 = Known(file: catalogue.file, version: catalogue.version, layout: layout, rows: [])
    }
  }

  /// What the table is made of now.
  ///
  /// - Throws: ``StoreError`` where the table is gone, and ``SQLiteError``.
  func layout(_ session: SQLiteSession) throws -> TableLayout {
    let version = try TableCatalogue.version(session)
    if let known = known.withLock({ $0 }), known.version == version, known.file == session.file {
      return try lookingAgain(known, session)
    }
    guard let found = try TableCatalogue.layouts(session, named: name).first else {
      throw StoreError.cannotOpen("\(database.path) has no table or view \"\(name)\" any more")
    }
    return try recognising(found, version, session)
  }

  /// The layout with what rows say of an expiry; what cannot be sampled can perhaps still be read.
  private func recognising(
    _ found: TableLayout, _ version: Int64, _ session: SQLiteSession
  ) throws -> TableLayout {
    let rows = try Self.rows(session)
    let layout = (try? found.recognisingExpiry(choice, session)) ?? found
    known.withLock {
      $0 = Known(file: session.file, version: version, layout: layout, rows: rows)
    }
    return layout
  }

  /// The known layout, or another one where no row told of an expiry before, and rows have come.
  private func lookingAgain(_ known: Known, _ session: SQLiteSession) throws -> TableLayout {
    guard case .undecided = known.layout.expiry, try Self.rows(session) != known.rows else {
      return known.layout
    }
    return try recognising(known.layout, known.version, session)
  }

  /// What is another one after rows have changed; it is only known within one session.
  private static func rows(_ session: SQLiteSession) throws(SQLiteError) -> [SQLiteValue] {
    let version = try session.rows("PRAGMA data_version").first?.first ?? .null
    return [.integer(Int64(bitPattern: session.number)), version]
  }
}
