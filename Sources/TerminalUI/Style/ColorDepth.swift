/// The range of colors that a terminal can show.
public enum ColorDepth: Int, CaseIterable, Comparable, Sendable {
  /// Attributes only, no colors.
  case monochrome
  /// The eight normal named colors.
  case ansi8
  /// The sixteen named colors.
  case ansi16
  /// The 256-color palette.
  case indexed256
  /// 24-bit colors.
  case trueColor

  /// Whether the left depth has fewer colors.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ColorDepth {
  /// Returns the nearest color at this depth; a color that it can show remains unchanged.
  public func reduce(_ color: Color) -> Color {
    switch (self, color) {
    case (_, .default), (.trueColor, _): color
    case (.monochrome, _): .default
    case (.indexed256, .rgb(let red, let green, let blue)):
      .indexed(RGB(red: red, green: green, blue: blue).nearestIndex)
    case (.indexed256, _): color
    case (.ansi16, .ansi): color
    case (.ansi16, _): color.components.map { .ansi($0.nearestANSI) } ?? .default
    case (.ansi8, .ansi(let named)): .ansi(named.normal)
    case (.ansi8, _): color.components.map { .ansi($0.nearestANSI.normal) } ?? .default
    }
  }

  /// Returns a style with both colors reduced, keeping the text readable.
  ///
  /// With eight colors, bright text becomes bold and gray text faint. Text that was readable on
  /// its background, but would not be after the reduction, gets the nearest readable color. Two
  /// different colors never become the same one: the text then becomes black or white, depending
  /// on the background.
  public func reduce(_ style: Style) -> Style {
    var reduced = Style(
      foreground: reduce(style.foreground), background: reduce(style.background),
      attributes: style.attributes)
    if self == .ansi8, case .ansi(let named) = ColorDepth.ansi16.reduce(style.foreground) {
      if named == .brightBlack, reduced.background == .default {
        // There is no normal gray, and black could be invisible, so gray becomes faint text.
        reduced.foreground = .default
        reduced.attributes.insert(.dim)
      } else if named.isBright, named != .brightBlack {
        reduced.attributes.insert(.bold)
      }
    }
    if self < .indexed256, style.isReadable == true, reduced.isReadable == false,
      let color = readable(like: style.foreground, on: reduced.background)
    {
      reduced.foreground = color
    }
    if reduced.foreground == reduced.background, reduced.foreground != .default,
      style.foreground != style.background
    {
      let isDark = (reduced.background.components?.luminance ?? 0) < 0.2
      reduced.foreground = .ansi(isDark ? .white : .black)
    }
    // With eight colors, bold black is shown as gray.
    if self == .ansi8, reduced.foreground == .ansi(.black) { reduced.attributes.remove(.bold) }
    return reduced
  }

  /// Returns the nearest named color that is readable on a background, or if there is none, the
  /// one with the highest contrast.
  private func readable(like color: Color, on background: Color) -> Color? {
    guard let wanted = color.components, let ground = background.components else { return nil }
    let known = ANSIColor.allCases.prefix(self == .ansi8 ? 8 : 16)
    let contrasts = known.map { (color: $0, value: Color.ansi($0).contrast(with: ground) ?? 1) }
    func distance(_ color: ANSIColor) -> Int {
      RGB.ansi[Int(color.rawValue)].distance(to: wanted)
    }
    let nearest = contrasts.filter { $0.value >= RGB.readableContrast }
      .min { distance($0.color) < distance($1.color) }
    return (nearest ?? contrasts.max { $0.value < $1.value }).map { .ansi($0.color) }
  }
}

extension Style {
  /// Whether the text is readable on its background; nil if the colors are unknown.
  fileprivate var isReadable: Bool? {
    background.components.flatMap { foreground.contrast(with: $0) }
      .map { $0 >= RGB.readableContrast }
  }
}

extension Color {
  fileprivate func contrast(with ground: RGB) -> Double? { components?.contrast(with: ground) }
}

extension ANSIColor {
  /// Whether it is one of the eight bright colors.
  var isBright: Bool { rawValue >= 8 }

  /// The normal variant of the color.
  var normal: ANSIColor { ANSIColor(rawValue: rawValue % 8) ?? .white }
}

extension RGB {
  /// The nearest entry of the 256-color palette, except the sixteen that users can redefine.
  var nearestIndex: UInt8 {
    func step(_ value: UInt8) -> Int {
      value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40
    }
    let cube = UInt8(16 + 36 * step(red) + 6 * step(green) + step(blue))
    let mean = (Int(red) + Int(green) + Int(blue)) / 3
    let grey = UInt8(232 + ((mean - 3) / 10).clamped(to: 0...23))
    return distance(to: RGB(index: grey)) < distance(to: RGB(index: cube)) ? grey : cube
  }

  /// The nearest named color.
  var nearestANSI: ANSIColor {
    ANSIColor.allCases.min { left, right in
      distance(to: Self.ansi[Int(left.rawValue)]) < distance(to: Self.ansi[Int(right.rawValue)])
    } ?? .white
  }
}
