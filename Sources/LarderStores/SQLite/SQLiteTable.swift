import HarmonySQLite
import LarderCore
import Synchronization

/// A table or view of a database, whose layout is read again when the schema changes.
final class SQLiteTable: Sendable {
  let database: SQLiteDatabase
  let name: String
  private let known = Mutex<(version: Int64, layout: TableLayout)?>(nil)

  init(_ database: SQLiteDatabase, name: String) {
    self.database = database
    self.name = name
  }

  /// What the table is made of now.
  ///
  /// - Throws: ``StoreError`` where the table is gone, and ``SQLiteError``.
  func layout(_ session: SQLiteSession) throws -> TableLayout {
    let version = try TableCatalogue.version(session)
    if let known = known.withLock({ $0 }), known.version == version { return known.layout }
    guard let layout = try TableCatalogue.layouts(session, named: name).first else {
      throw StoreError.cannotOpen("\(database.path) has no table or view \"\(name)\" any more")
    }
    known.withLock { $0 = (version, layout) }
    return layout
  }
}
