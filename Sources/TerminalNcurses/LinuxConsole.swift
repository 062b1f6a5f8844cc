import TerminalUI

/// The limitations of the Linux console: its own character widths, and sixteen colors chosen by
/// attributes.
///
/// It uses two cells only for the ranges in a short list that excludes emoji, and before Linux 6.16
/// it uses a cell for each combining mark, so columns would not line up.
enum LinuxConsole {
  /// Whether a terminal name is that of the console: `linux`, or one that starts with `linux-`.
  static func isNamed(_ term: String) -> Bool {
    term == "linux" || term.hasPrefix("linux-")
  }

  /// Returns the scalar to draw for a cell: the base without marks if the console uses the same
  /// width, otherwise a placeholder of that width.
  static func drawable(_ base: Unicode.Scalar, width: Int) -> Unicode.Scalar {
    guard (width == 2) != isDouble(base) else { return base }
    return width == 2 ? "〓" : "\u{FFFD}"
  }

  /// Returns the attributes that leave text legible: faint and struck-through text is dark gray on
  /// black, and bold reverse text is dark gray on light gray.
  static func drawable(_ attributes: Attributes) -> Attributes {
    var attributes = attributes
    attributes.subtract([.dim, .strikethrough])
    if attributes.contains(.reverse) { attributes.remove(.bold) }
    return attributes
  }

  /// Whether the console uses two cells for a scalar (`is_double_width` in the kernel's `vt.c`).
  private static func isDouble(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3040...0xA4CF, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x20000...0x2FFFD, 0x30000...0x3FFFD:
      true
    default: false
    }
  }
}
