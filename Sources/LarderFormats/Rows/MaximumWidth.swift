/// How many columns text takes on a screen at most, without the tables that only a screen has.
///
/// The bound is exact for Latin, Greek and Cyrillic letters and for ideographs, so that rows which
/// are broken by it are as long as the screen allows.
package enum MaximumWidth {
  /// The columns of a byte that is no text, which is shown as `\xff`.
  package static let ofByte = 4

  /// The columns between two stops of the tabulator.
  package static let tab = 8

  /// The columns of a scalar, or of the form in which it is spelled out.
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

  /// Whether a scalar belongs to the one before it, so that no row begins with it.
  package static func joins(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x300: false
    case 0x300...0x36F, 0x200D, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF: true
    default: false
    }
  }
}
