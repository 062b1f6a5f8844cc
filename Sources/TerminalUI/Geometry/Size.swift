/// How many columns and rows of cells something has.
///
/// Neither is ever negative: a negative number becomes zero.
public struct Size: Hashable, Sendable {
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int

  /// Makes a size, with zero in place of a negative number.
  public init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
  }

  /// No columns and no rows.
  public static let zero = Size(width: 0, height: 0)

  /// Whether there is no cell in it.
  public var isEmpty: Bool { width == 0 || height == 0 }
}

extension Size: CustomStringConvertible {
  /// The size as `80x24`.
  public var description: String { "\(width)x\(height)" }
}
