/// The table that a ``SQLiteDataSource`` keeps its entries in.
///
/// Each key is one row with its value, so that other programs can read single values by one
/// `SELECT`, and keys are listed and counted from their index, without touching a value. The row
/// of a list has no value but the number of its elements, which are the rows of a second table in
/// the order of their positions. So a key cannot hold a value and a list at once, empty lists
/// exist, and a list that lost elements is noticed.
///
/// ```sql
/// CREATE TABLE entries (key TEXT PRIMARY KEY NOT NULL, value, count INTEGER);
/// CREATE TABLE entries_elements (key TEXT NOT NULL, position INTEGER NOT NULL, value,
///   PRIMARY KEY (key, position)) WITHOUT ROWID;
/// ```
public struct SQLiteEntryTable: Sendable, Hashable {
  /// The name of the table.
  public let name: String

  /// The column of the keys, which must be unique texts that are compared by their bytes.
  public let keyColumn: String

  /// The column of the values.
  public let valueColumn: String

  /// The column of the number of elements of a list, null for single values; nil in a table that
  /// cannot hold lists.
  public let countColumn: String?

  /// The name of the table of the elements of lists.
  public var elementsName: String { name + "_elements" }

  /// Describes a table.
  ///
  /// - Parameters:
  ///   - name: The name of the table; any text can be one.
  ///   - keyColumn: The column of the keys.
  ///   - valueColumn: The column of the values.
  ///   - countColumn: The column of the number of elements of a list; nil for an existing table
  ///     that has no such column, and so cannot hold lists.
  public init(
    _ name: String = "entries", keyColumn: String = "key", valueColumn: String = "value",
    countColumn: String? = "count"
  ) {
    self.name = name
    self.keyColumn = keyColumn
    self.valueColumn = valueColumn
    self.countColumn = countColumn
  }
}

extension SQLiteEntryTable: ExpressibleByStringLiteral {
  /// Describes a table with the usual columns.
  ///
  /// - Parameter name: The name of the table.
  public init(stringLiteral name: String) {
    self.init(name)
  }
}
