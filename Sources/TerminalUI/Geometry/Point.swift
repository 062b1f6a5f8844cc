/// The position of a cell as column and row, counted from zero at the top left.
///
/// A point may be outside the screen; drawing there does nothing.
public struct Point: Hashable, Sendable {
  /// The column.
  public var x: Int
  /// The row.
  public var y: Int

  /// Creates a point from a column and a row.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// The top-left cell.
  public static let origin = Point(x: 0, y: 0)
}

extension Point: CustomStringConvertible {
  /// The point in the form `(3, 4)`.
  public var description: String { "(\(x), \(y))" }
}
