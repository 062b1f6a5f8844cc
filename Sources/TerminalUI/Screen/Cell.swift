/// What one place of a screen shows.
public struct Cell: Hashable, Sendable {
  /// A base character and the marks that join it; empty for the right half of a wide character.
  public let text: String
  /// How many columns the text takes: 1, 2, or 0 for the right half of a wide character.
  public let width: Int
  /// How it looks.
  public let style: Style
  /// The address that it leads to, where the terminal has links; nil where it leads nowhere.
  public var link: String?
}

/// A cell as a screen keeps it: sixteen bytes without references.
struct PackedCell: Hashable, Sendable {
  /// A scalar, or ``clusterFlag`` and the place of several scalars in the screen's list.
  var content: UInt32
  /// How many columns it takes.
  var width: UInt8
  /// The number of its address in the screen's list, from 1; 0 where it leads nowhere.
  var link: UInt8 = 0
  /// How it looks.
  var style: Style

  /// What tells a place in the list from a scalar.
  static let clusterFlag: UInt32 = 1 << 31

  /// A cell that shows nothing.
  static func blank(_ style: Style) -> PackedCell {
    PackedCell(content: 0x20, width: 1, style: style)
  }

  /// The right half of a wide character.
  static func rightHalf(_ style: Style) -> PackedCell {
    PackedCell(content: 0, width: 0, style: style)
  }
}
