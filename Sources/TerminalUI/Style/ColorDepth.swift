/// How many colours a terminal can show.
public enum ColorDepth: Int, CaseIterable, Comparable, Sendable {
  /// None: attributes only.
  case monochrome
  /// The eight normal named colours.
  case ansi8
  /// The sixteen named colours.
  case ansi16
  /// The table of 256.
  case indexed256
  /// Any amounts of red, green and blue.
  case trueColor

  /// Whether the left one shows fewer colours.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ColorDepth {
  /// The nearest colour that this depth can show; a colour it can show stays as it is.
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

  /// The style with both colours reduced, kept readable.
  ///
  /// With eight colours, bright text becomes bold and grey text faint. Two different colours never
  /// become the same one: the text then turns black or white, whichever stands out.
  public func reduce(_ style: Style) -> Style {
    var reduced = Style(
      foreground: reduce(style.foreground), background: reduce(style.background),
      attributes: style.attributes)
    if self == .ansi8, case .ansi(let named) = ColorDepth.ansi16.reduce(style.foreground) {
      if named == .brightBlack {
        // Grey has no normal colour: black could vanish, so it becomes faint text.
        reduced.foreground = .default
        reduced.attributes.insert(.dim)
      } else if named.isBright {
        reduced.attributes.insert(.bold)
      }
    }
    if reduced.foreground == reduced.background, reduced.foreground != .default,
      style.foreground != style.background
    {
      let isDark = (reduced.background.components?.luminance ?? 0) < 0.2
      reduced.foreground = .ansi(isDark ? .white : .black)
    }
    return reduced
  }
}

extension ANSIColor {
  /// Whether it is one of the eight bright ones.
  var isBright: Bool { rawValue >= 8 }

  /// The normal colour in place of a bright one.
  var normal: ANSIColor { ANSIColor(rawValue: rawValue % 8) ?? .white }
}

extension RGB {
  /// The entry of the table of 256, without the sixteen that people change, nearest to this one.
  var nearestIndex: UInt8 {
    func step(_ value: UInt8) -> Int {
      value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40
    }
    let cube = UInt8(16 + 36 * step(red) + 6 * step(green) + step(blue))
    let mean = (Int(red) + Int(green) + Int(blue)) / 3
    let grey = UInt8(232 + ((mean - 3) / 10).clamped(to: 0...23))
    return distance(to: RGB(index: grey)) < distance(to: RGB(index: cube)) ? grey : cube
  }

  /// The named colour nearest to this one.
  var nearestANSI: ANSIColor {
    ANSIColor.allCases.min { left, right in
      distance(to: Self.ansi[Int(left.rawValue)]) < distance(to: Self.ansi[Int(right.rawValue)])
    } ?? .white
  }
}
