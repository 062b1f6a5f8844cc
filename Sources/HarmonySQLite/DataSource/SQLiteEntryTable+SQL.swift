import Harmony

// The SQL statements. Names are quoted; keys and values are always parameters.
extension SQLiteEntryTable {
  var table: String { SQLiteIdentifier.quoted(name) }
  var elements: String { SQLiteIdentifier.quoted(elementsName) }
  var key: String { SQLiteIdentifier.quoted(keyColumn) }
  var value: String { SQLiteIdentifier.quoted(valueColumn) }
  var count: String { countColumn.map(SQLiteIdentifier.quoted) ?? "NULL" }
  var storesLists: Bool { countColumn != nil }

  /// The statements that create missing tables.
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
      // Elements are read together and in order, so they are stored next to each other.
      """
      CREATE TABLE IF NOT EXISTS \(elements) (key TEXT NOT NULL, position INTEGER NOT NULL, \
      value, PRIMARY KEY (key, position)) WITHOUT ROWID
      """,
    ]
  }

  var entryOfKey: String { "SELECT \(value), \(count) FROM \(table) WHERE \(key) = ?" }

  /// The statement that stores a value and returns its stored type, which the column may change.
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

/// The rows of a selection: a WHERE condition, an order and their parameters.
struct SQLiteEntrySpan {
  let condition: String
  let order: String
  let bounds: [SQLiteValue]
  let limit: SQLiteValue

  /// Creates the rows of a selection, with one lower and one upper bound that SQLite can seek to.
  ///
  /// Redundant bounds are omitted, because SQLite might seek to them. All text sorts between the
  /// empty text and the empty blob, so rows whose keys are not text are excluded.
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
    // SQLite treats a negative limit as no limit.
    limit = .integer(selection.limit.map { Int64(max($0, 0)) } ?? -1)
  }
}
