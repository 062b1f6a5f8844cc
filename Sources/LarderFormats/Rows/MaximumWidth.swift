/// An upper bound for the display width of text, computed without a full character width table.
///
/// The bound is exact for Latin, Greek and Cyrillic letters and for ideographs, so rows of such
/// text fill the available width.
package enum MaximumWidth {
  /// The width of an invalid byte, which is shown as `\xff`.
  package static let ofByte = 4

  /// The distance between tab stops in columns.
  package static let tab = 8

  /// Returns the width of a scalar, or of its escape sequence.
  package static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x7F { return 1 }
    if value < 0x300 { return value == 0x7F ? 1 : value < 0xA0 || value == 0xAD ? 6 : 1 }
    if value < 0x600 { return 1 }
    if 0x3000...0x9FFF ~= value || 0xAC00...0xD7A3 ~= value { return 2 }
    if scalar.properties.generalCategory == .format || value & 0xFFFE == 0xFFFE { return 10 }
    switch value {
    case 0x2028, 0x2029: return 8
    case 0..<0x1100, 0x2000..<0x2300, 0x2500..<0x25FD: return 1
    default: return 2
    }
  }

  /// Whether a scalar combines with the previous one, so that a row cannot start with it.
  package static func joins(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x300: false
    case 0x300...0x36F, 0x200D, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF: true
    default: false
    }
  }
}
