import Harmony

// The texts of the statements. Names are quoted, keys and values are always parameters.
extension SQLiteEntryTable {
  var table: String { SQLiteIdentifier.quoted(name) }
  var elements: String { SQLiteIdentifier.quoted(elementsName) }
  var key: String { SQLiteIdentifier.quoted(keyColumn) }
  var value: String { SQLiteIdentifier.quoted(valueColumn) }
  var count: String { countColumn.map(SQLiteIdentifier.quoted) ?? "NULL" }
  var storesLists: Bool { countColumn != nil }

  /// Makes the tables that are not there.
  var creation: [String] {
    guard let countColumn else {
      return ["CREATE TABLE IF NOT EXISTS \(table) (\(key) TEXT PRIMARY KEY NOT NULL, \(value))"]
    }
    let count = SQLiteIdentifier.quoted(countColumn)
    return [
      """
      CREATE TABLE IF NOT EXISTS \(table) \
      (\(key) TEXT PRIMARY KEY NOT NULL, \(value), \(count) INTEGER)
      """,
      // Elements are read whole and in order, so they lie beside each other.
      """
      CREATE TABLE IF NOT EXISTS \(elements) (key TEXT NOT NULL, position INTEGER NOT NULL, \
      value, PRIMARY KEY (key, position)) WITHOUT ROWID
      """,
    ]
  }

  var entryOfKey: String { "SELECT \(value), \(count) FROM \(table) WHERE \(key) = ?" }

  /// Tells the type that was really stored: the type of the column may have changed it.
  var storeValue: String {
    guard storesLists else {
      return """
        INSERT INTO \(table) (\(key), \(value)) VALUES (?, ?) ON CONFLICT (\(key)) \
        DO UPDATE SET \(value) = excluded.\(value) RETURNING typeof(\(value))
        """
    }
    return """
      INSERT INTO \(table) (\(key), \(value), \(count)) VALUES (?, ?, NULL) \
      ON CONFLICT (\(key)) DO UPDATE SET \(value) = excluded.\(value), \(count) = NULL \
      RETURNING typeof(\(value))
      """
  }

  var storeList: String {
    """
    INSERT INTO \(table) (\(key), \(value), \(count)) VALUES (?, NULL, ?) \
    ON CONFLICT (\(key)) DO UPDATE SET \(value) = NULL, \(count) = excluded.\(count) \
    RETURNING \(count)
    """
  }

  var storeElement: String { "INSERT INTO \(elements) (key, position, value) VALUES (?, ?, ?)" }

  var elementsOfKey: String { "SELECT value FROM \(elements) WHERE key = ? ORDER BY position" }

  var deleteKey: String { "DELETE FROM \(table) WHERE \(key) = ?" }

  var deleteElements: String { "DELETE FROM \(elements) WHERE key = ?" }
}

/// The rows of a selection: the text of a WHERE clause and what follows it, with its values.
struct SQLiteEntrySpan {
  let condition: String
  let order: String
  let bounds: [SQLiteValue]
  let limit: SQLiteValue

  /// Bounds that SQLite can seek to: one below and one above.
  ///
  /// A bound that another one makes superfluous is left out, as SQLite would seek to either. All
  /// texts lie between the empty text and the empty blob, so rows whose key is no text are left
  /// out too.
  init(_ selection: KeySelection, in table: SQLiteEntryTable) {
    var lower = (sign: ">=", key: selection.range.lowerBound ?? "")
    var upper = selection.range.upperBound
    if let after = selection.after {
      if selection.isDescending {
        if upper.map({ after.isOrderedBefore($0) }) ?? true { upper = after }
      } else if !after.isOrderedBefore(lower.key) {
        lower = (">", after)
      }
    }
    condition = "\(table.key) \(lower.sign) ? AND \(table.key) < ?"
    order = "ORDER BY \(table.key)\(selection.isDescending ? " DESC" : "")"
    bounds = [.text(lower.key), upper.map { .text($0) } ?? .blob([])]
    // A negative limit would be none for SQLite.
    limit = .integer(selection.limit.map { Int64(max($0, 0)) } ?? -1)
  }
}
