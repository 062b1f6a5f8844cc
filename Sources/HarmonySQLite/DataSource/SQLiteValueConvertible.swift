/// A type whose values a database can hold in one of its own types.
///
/// Conform a type of your own to use it in a ``SQLiteDataSource`` without naming a codec. The two
/// requirements must be inverse: what is read back is what was written.
public protocol SQLiteValueConvertible: Sendable {
  /// The value as the database holds it.
  ///
  /// - Returns: The value in one of the database's types.
  /// - Throws: ``Harmony/CoreError/DataSerialization`` if the database cannot hold it.
  func sqliteValue() throws -> SQLiteValue

  /// The value that the database holds.
  ///
  /// - Parameter value: What the database holds.
  /// - Returns: The value.
  /// - Throws: ``Harmony/CoreError/DataSerialization`` if it is not of this type.
  static func from(sqliteValue value: SQLiteValue) throws -> Self
}
