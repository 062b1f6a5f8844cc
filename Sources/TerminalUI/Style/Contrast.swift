extension RGB {
  /// How bright the colour is, from 0 for black to 1 for white, as WCAG 2 defines it.
  public var luminance: Double {
    func linear(_ value: UInt8) -> Double {
      let value = Double(value) / 255
      return value <= 0.04045 ? value / 12.92 : Self.power((value + 0.055) / 1.055)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The contrast from which on text is comfortable to read.
  static let readableContrast = 4.5

  /// How well one colour stands out from the other, from 1 to 21, as WCAG 2 defines it.
  ///
  /// Text is comfortable to read from ``readableContrast`` on.
  public func contrast(with other: RGB) -> Double {
    let (first, second) = (luminance, other.luminance)
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  /// The number to the power of 2.4, for numbers from 0 to 1.
  ///
  /// Written out so that this leaf needs no C library: x² times the fifth root of x², by Newton.
  private static func power(_ base: Double) -> Double {
    let square = base * base
    guard square > 0 else { return 0 }
    var root = 1.0
    for _ in 0..<60 { root -= (root - square / (root * root * root * root)) / 5 }
    return square * root
  }
}
