/// A configured description of a table of a program: what its columns mean.
public struct LensRule: Sendable, Hashable {
  /// The name of the program or of the description.
  public var name: String
  /// The name of the table.
  public var table: String
  /// The columns of the key, which have to be unique.
  public var key: [String]
  /// Columns that the table must have besides those that are named here otherwise.
  public var columns: [String] = []
  /// The main value column; nil if a row is a record of equal columns.
  public var value: String?
  /// The column that describes a row, which is shown first.
  public var title: String?
  /// The column with the expiry of rows.
  public var expires: String?
  /// The unit of the expiry; nil if the values show it.
  public var unit: ExpiryUnit?
  /// The location of the description in the configuration, such as `line 3 of the settings`.
  public var place: String

  /// Creates a description without a value or an expiry.
  public init(name: String, table: String, key: [String], place: String) {
    self.name = name
    self.table = table
    self.key = key
    self.place = place
  }

  /// All columns that the table must have.
  package var required: Set<String> {
    Set(key + columns + [value, title, expires].compactMap(\.self))
  }
}
