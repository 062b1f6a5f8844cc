import Harmony
import HarmonySQLite
import LarderModel

/// A table or view of a database, whose layout is read again when the schema changes.
final class SQLiteTable: Sendable {
  let database: SQLiteDatabase
  let name: String
  /// The user's settings for its expiry.
  let choice: ExpiryChoice
  /// The user's choice of its key.
  let key: KeyChoice
  /// The user's own lenses.
  private let lenses: [TableLens]
  private let known = Locked<Known?>(nil)

  /// A layout, with the file and schema version that it was read from.
  private struct Known: Sendable {
    let file: SQLiteFile.Identity?
    let version: Int64
    let layout: TableLayout
    /// The state of the rows from which the expiry was inferred.
    let rows: [SQLiteValue]
  }

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - database: The database that contains it.
  ///   - name: Its name.
  ///   - choice: The user's settings for its expiry.
  ///   - key: The user's choice of its key.
  ///   - lenses: The user's own lenses.
  ///   - catalogue: Known layouts, with the expiry inferred for `choice` and the key for `key`.
  init(
    _ database: SQLiteDatabase, name: String, choice: ExpiryChoice = ExpiryChoice(),
    key: KeyChoice = .recognised, lenses: [TableLens] = [], in catalogue: KnownLayouts? = nil
  ) {
    self.database = database
    self.name = name
    self.choice = choice
    self.key = key
    self.lenses = lenses
    guard let catalogue, let layout = catalogue[name] else { return }
    known.withLock {
      $0 = Known(file: catalogue.file, version: catalogue.version, layout: layout, rows: [])
    }
  }

  /// Returns the current layout of the table.
  ///
  /// - Throws: ``StoreError`` if the table no longer exists or the chosen key is no longer unique,
  ///   and ``SQLiteError``.
  func layout(_ session: SQLiteSession) throws -> TableLayout {
    let version = try TableCatalogue.version(session)
    if let known = known.withLock({ $0 }), known.version == version, known.file == session.file {
      return try lookingAgain(known, session)
    }
    guard
      let found = try TableCatalogue.layouts(
        session, named: name, key: key, lenses: lenses
      ).first
    else {
      throw StoreError.cannotOpen("\(database.path) no longer has a table or view \"\(name)\"")
    }
    if let refusal = key.refusal(in: found.keyChoices, of: "\(database.path)#\(name)") {
      throw refusal
    }
    return try recognising(found, version, session)
  }

  /// Infers the expiry of a layout; a table that cannot be sampled may still be readable.
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

  /// Returns the known layout, or infers its expiry again if it was undecided and rows changed.
  private func lookingAgain(_ known: Known, _ session: SQLiteSession) throws -> TableLayout {
    guard case .undecided = known.layout.expiry, try Self.rows(session) != known.rows else {
      return known.layout
    }
    return try recognising(known.layout, known.version, session)
  }

  /// Returns a state that differs after rows have changed, comparable only within one session.
  private static func rows(_ session: SQLiteSession) throws(SQLiteError) -> [SQLiteValue] {
    let version = try session.rows("PRAGMA data_version").first?.first ?? .null
    return [.integer(Int64(bitPattern: session.number)), version]
  }
}
