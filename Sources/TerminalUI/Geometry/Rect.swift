/// A rectangle of cells.
///
/// Width and height are never negative, and no operation traps: what does not fit is cut off, what
/// is left over is empty.
public struct Rect: Hashable, Sendable {
  /// The column of the left edge.
  public let x: Int
  /// The row of the top edge.
  public let y: Int
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int

  /// The farthest from the origin that an edge begins, and the largest side; no screen comes near.
  static let limit = 1 << 30

  /// Makes a rectangle, with zero in place of a negative width or height.
  ///
  /// Numbers of more than 2³⁰ count as that, so that sums of them cannot overflow.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x.clamped(to: -Self.limit...Self.limit)
    self.y = y.clamped(to: -Self.limit...Self.limit)
    self.width = width.clamped(to: 0...Self.limit)
    self.height = height.clamped(to: 0...Self.limit)
  }

  /// Makes the rectangle of a size that starts at the top left.
  public init(_ size: Size) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// A rectangle without cells.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// The column just right of the rectangle.
  public var maxX: Int { x + width }
  /// The row just below the rectangle.
  public var maxY: Int { y + height }
  /// The top left cell.
  public var origin: Point { Point(x: x, y: y) }
  /// The number of columns and rows.
  public var size: Size { Size(width: width, height: height) }
  /// Whether there is no cell in it.
  public var isEmpty: Bool { width == 0 || height == 0 }

  /// Whether the cell at a point belongs to the rectangle.
  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
  }

  /// The part that both rectangles share, empty if they do not touch.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(
      x: left, y: top,
      width: min(maxX, other.maxX).saturatingSubtracting(left),
      height: min(maxY, other.maxY).saturatingSubtracting(top))
  }

  /// The rectangle without a margin at each side; a negative margin makes it larger.
  ///
  /// Margins that are larger than the rectangle leave an empty one.
  public func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> Rect {
    Rect(
      x: x.saturatingAdding(left), y: y.saturatingAdding(top),
      width: width.saturatingSubtracting(left).saturatingSubtracting(right),
      height: height.saturatingSubtracting(top).saturatingSubtracting(bottom))
  }

  /// The rectangle without the same margin at all four sides.
  public func inset(by margin: Int) -> Rect {
    inset(left: margin, top: margin, right: margin, bottom: margin)
  }

  /// The rectangle of a size in the middle of this one, cut to fit into it.
  public func centered(_ size: Size) -> Rect {
    let width = min(size.width, width)
    let height = min(size.height, height)
    return Rect(
      x: x.saturatingAdding((self.width - width) / 2),
      y: y.saturatingAdding((self.height - height) / 2), width: width, height: height)
  }
}

extension Rect: CustomStringConvertible {
  /// The rectangle as `80x24 at (0, 0)`.
  public var description: String { "\(size) at \(origin)" }
}
