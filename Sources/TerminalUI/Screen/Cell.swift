/// The content of one cell of a screen.
public struct Cell: Hashable, Sendable {
  /// A base character and its combining marks; empty for the right half of a wide character.
  public let text: String
  /// The width in columns: 1, 2, or 0 for the right half of a wide character.
  public let width: Int
  /// The style.
  public let style: Style
  /// The URL of its hyperlink, if any, for terminals that support links.
  public var link: String?
}

/// The compact storage of a cell: sixteen bytes without references.
struct PackedCell: Hashable, Sendable {
  /// A scalar, or ``clusterFlag`` and the index of several scalars in the screen's list.
  var content: UInt32
  /// The width in columns.
  var width: UInt8
  /// The number of its URL in the screen's list, from 1; 0 without a link.
  var link: UInt8 = 0
  /// The style.
  var style: Style

  /// The bit that marks an index into the list instead of a scalar.
  static let clusterFlag: UInt32 = 1 << 31

  /// Returns a blank cell.
  static func blank(_ style: Style) -> PackedCell {
    PackedCell(content: 0x20, width: 1, style: style)
  }

  /// Returns the right half of a wide character.
  static func rightHalf(_ style: Style) -> PackedCell {
    PackedCell(content: 0, width: 0, style: style)
  }
}
