/// A size in columns and rows of cells.
///
/// Width and height are never negative.
public struct Size: Hashable, Sendable {
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int

  /// Creates a size; negative numbers become zero.
  public init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
  }

  /// The size without columns and rows.
  public static let zero = Size(width: 0, height: 0)

  /// Whether there are no cells.
  public var isEmpty: Bool { width == 0 || height == 0 }
}

extension Size: CustomStringConvertible {
  /// The size in the form `80x24`.
  public var description: String { "\(width)x\(height)" }
}
