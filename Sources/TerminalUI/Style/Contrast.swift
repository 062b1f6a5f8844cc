extension RGB {
  /// The relative luminance according to WCAG 2, from 0 for black to 1 for white.
  public var luminance: Double {
    func linear(_ value: UInt8) -> Double {
      let value = Double(value) / 255
      return value <= 0.04045 ? value / 12.92 : Self.power((value + 0.055) / 1.055)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The minimum contrast ratio for readable text.
  static let readableContrast = 4.5

  /// Returns the contrast ratio between two colors according to WCAG 2, from 1 to 21.
  ///
  /// Text is comfortable to read from ``readableContrast`` upwards.
  public func contrast(with other: RGB) -> Double {
    let (first, second) = (luminance, other.luminance)
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  /// Returns a number between 0 and 1 raised to the power of 2.4.
  ///
  /// Computes x² times the fifth root of x² by Newton's method, so that this module needs no C
  /// library.
  private static func power(_ base: Double) -> Double {
    let square = base * base
    guard square > 0 else { return 0 }
    var root = 1.0
    for _ in 0..<60 { root -= (root - square / (root * root * root * root)) / 5 }
    return square * root
  }
}
