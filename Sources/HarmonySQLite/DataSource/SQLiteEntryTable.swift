/// The table in which a ``SQLiteDataSource`` stores its entries.
///
/// Each key is a row with its value. Other programs can thus read single values with one `SELECT`,
/// and keys are listed and counted from their index without reading values. The row of a list has
/// no value but the number of its elements, which are rows of a second table, ordered by position.
/// Therefore a key cannot have both a value and a list, empty lists are supported, and a list with
/// missing elements is detected.
///
/// ```sql
/// CREATE TABLE entries (key TEXT PRIMARY KEY NOT NULL, value, count INTEGER);
/// CREATE TABLE entries_elements (key TEXT NOT NULL, position INTEGER NOT NULL, value,
///   PRIMARY KEY (key, position)) WITHOUT ROWID;
/// ```
public struct SQLiteEntryTable: Sendable, Hashable {
  /// The name of the table.
  public let name: String

  /// The column of the keys, which must be unique and contain text with binary comparison.
  public let keyColumn: String

  /// The column of the values.
  public let valueColumn: String

  /// The column of the number of elements of a list, which is null for single values; nil if the
  /// table does not support lists.
  public let countColumn: String?

  /// The name of the table of list elements.
  public var elementsName: String { name + "_elements" }

  /// Creates a description of a table.
  ///
  /// - Parameters:
  ///   - name: The name of the table; any string is valid.
  ///   - keyColumn: The column of the keys.
  ///   - valueColumn: The column of the values.
  ///   - countColumn: The column of the number of elements of a list; nil for an existing table
  ///     without such a column, which does not support lists.
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
  /// Creates a description of a table with the default columns.
  ///
  /// - Parameter name: The name of the table.
  public init(stringLiteral name: String) {
    self.init(name)
  }
}
