/// A type whose values can be stored in a database type.
///
/// Conform your own type to use it in a ``SQLiteDataSource`` without specifying a codec. The two
/// requirements must be inverse: reading returns the value that was written.
public protocol SQLiteValueConvertible: Sendable {
  /// Returns the value in a database type.
  ///
  /// - Returns: The value to store.
  /// - Throws: ``Harmony/CoreError/DataSerialization`` if the database cannot represent it.
  func sqliteValue() throws -> SQLiteValue

  /// Returns the value of a stored database value.
  ///
  /// - Parameter value: The stored value.
  /// - Returns: The value.
  /// - Throws: ``Harmony/CoreError/DataSerialization`` if it is not of this type.
  static func from(sqliteValue value: SQLiteValue) throws -> Self
}
