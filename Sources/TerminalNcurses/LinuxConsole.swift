import TerminalUI

/// What the console of Linux shows of text: it has no other terminal's idea of widths, and sixteen
/// colours that are chosen by attributes.
///
/// It gives two cells to what its own short list names, and emoji are not in it; until Linux 6.16
/// it gives a cell to each combining mark. It would lose count of the columns.
enum LinuxConsole {
  /// Whether a terminal's name is the console's: `linux`, or one that begins with `linux-`.
  static func isNamed(_ term: String) -> Bool {
    term == "linux" || term.hasPrefix("linux-")
  }

  /// What to draw for a cell: its base without marks where the console and larder agree about the
  /// width, else a stand-in of the cell's width.
  static func drawable(_ base: Unicode.Scalar, width: Int) -> Unicode.Scalar {
    guard (width == 2) != isDouble(base) else { return base }
    return width == 2 ? "〓" : "\u{FFFD}"
  }

  /// The attributes with which text is readable: faint text, as struck text is too, is dark grey on
  /// black, and bold text whose colours are exchanged dark grey on light grey.
  static func drawable(_ attributes: Attributes) -> Attributes {
    var attributes = attributes
    attributes.subtract([.dim, .strikethrough])
    if attributes.contains(.reverse) { attributes.remove(.bold) }
    return attributes
  }

  /// Whether the console gives two cells to a scalar (`is_double_width` in the kernel's `vt.c`).
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
