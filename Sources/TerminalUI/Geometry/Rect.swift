/// A rectangle of cells.
///
/// Width and height are never negative, and operations never trap: excess is cut off, and
/// impossible results are empty.
public struct Rect: Hashable, Sendable {
  /// The column of the left edge.
  public let x: Int
  /// The row of the top edge.
  public let y: Int
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int

  /// The maximum distance of an edge from the origin, and the maximum width and height.
  static let limit = 1 << 30

  /// Creates a rectangle; a negative width or height becomes zero.
  ///
  /// Numbers beyond ±2³⁰ are clamped, so that sums cannot overflow.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x.clamped(to: -Self.limit...Self.limit)
    self.y = y.clamped(to: -Self.limit...Self.limit)
    self.width = width.clamped(to: 0...Self.limit)
    self.height = height.clamped(to: 0...Self.limit)
  }

  /// Creates a rectangle of a size at the origin.
  public init(_ size: Size) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// The empty rectangle at the origin.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// The column to the right of the rectangle.
  public var maxX: Int { x + width }
  /// The row below the rectangle.
  public var maxY: Int { y + height }
  /// The top-left cell.
  public var origin: Point { Point(x: x, y: y) }
  /// The number of columns and rows.
  public var size: Size { Size(width: width, height: height) }
  /// Whether the rectangle contains no cells.
  public var isEmpty: Bool { width == 0 || height == 0 }

  /// Whether the rectangle contains a cell.
  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
  }

  /// Returns the intersection of two rectangles, which is empty if they do not overlap.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(
      x: left, y: top,
      width: min(maxX, other.maxX).saturatingSubtracting(left),
      height: min(maxY, other.maxY).saturatingSubtracting(top))
  }

  /// Returns the rectangle reduced by a margin on each side; negative margins enlarge it.
  ///
  /// Margins larger than the rectangle produce an empty one.
  public func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> Rect {
    Rect(
      x: x.saturatingAdding(left), y: y.saturatingAdding(top),
      width: width.saturatingSubtracting(left).saturatingSubtracting(right),
      height: height.saturatingSubtracting(top).saturatingSubtracting(bottom))
  }

  /// Returns the rectangle reduced by the same margin on all four sides.
  public func inset(by margin: Int) -> Rect {
    inset(left: margin, top: margin, right: margin, bottom: margin)
  }

  /// Returns a rectangle of a size centered in this one, reduced to fit.
  public func centered(_ size: Size) -> Rect {
    let width = min(size.width, width)
    let height = min(size.height, height)
    return Rect(
      x: x.saturatingAdding((self.width - width) / 2),
      y: y.saturatingAdding((self.height - height) / 2), width: width, height: height)
  }
}

extension Rect: CustomStringConvertible {
  /// The rectangle in the form `80x24 at (0, 0)`.
  public var description: String { "\(size) at \(origin)" }
}
