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
    key: KeyChoice = .recognized, lenses: [TableLens] = [], in catalogue: KnownLayouts? = nil
  ) {
    self.database = database
    self.name = name
    self.choice = choice
    self.key = key
    self.lenses = lenses
    guard let catalogue, let layout = catalogue[name] else { return }
    known.withLock {
      $0 = Known(file: catalogue.file, version: catalogue.version, layout: layout)
    }
  }

  /// Returns the current layout of the table.
  ///
  /// - Throws: ``StoreError`` if the table no longer exists or the chosen key is no longer unique,
  ///   and ``SQLiteError``.
  func layout(_ session: SQLiteSession) throws -> TableLayout {
    let version = try TableCatalogue.version(session)
    if let known = known.withLock({ $0 }), known.version == version, known.file == session.file {
      // New rows may show the unit of an undecided expiry.
      guard case .undecided = known.layout.expiry else { return known.layout }
      return recognizing(known.layout, version, session)
    }
    guard
      let found = try TableCatalogue.layouts(
        session, named: name, key: key, lenses: lenses
      ).first
    else {
      throw StoreError.noTable(name, in: database.path)
    }
    if let refusal = key.refusal(in: found.keyChoices, of: "\(database.path)#\(name)") {
      throw refusal
    }
    return recognizing(found, version, session)
  }

  /// Infers the expiry of a layout; a table that cannot be sampled may still be readable.
  private func recognizing(
    _ found: TableLayout, _ version: Int64, _ session: SQLiteSession
  ) -> TableLayout {
    let layout = (try? found.recognizingExpiry(choice, session)) ?? found
    known.withLock { $0 = Known(file: session.file, version: version, layout: layout) }
    return layout
  }
}
