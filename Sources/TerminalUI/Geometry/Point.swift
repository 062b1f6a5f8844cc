/// The place of a cell: the column, then the row, both counted from zero at the top left.
///
/// A point may lie outside the screen; drawing there does nothing.
public struct Point: Hashable, Sendable {
  /// The column.
  public var x: Int
  /// The row.
  public var y: Int

  /// Makes a point of a column and a row.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// The top left cell.
  public static let origin = Point(x: 0, y: 0)
}

extension Point: CustomStringConvertible {
  /// The point as `(3, 4)`.
  public var description: String { "(\(x), \(y))" }
}
