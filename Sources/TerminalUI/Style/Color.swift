/// One of the sixteen named terminal colors, which users can redefine.
public enum ANSIColor: UInt8, CaseIterable, Sendable {
  /// A normal color.
  case black, red, green, yellow, blue, magenta, cyan, white
  /// A bright color.
  case brightBlack, brightRed, brightGreen, brightYellow
  /// A bright color.
  case brightBlue, brightMagenta, brightCyan, brightWhite
}

/// A color of text or its background, from the terminal's defaults to any 24-bit color.
///
/// Terminals that cannot show a color get the nearest one that they can: see ``ColorDepth``.
public enum Color: Hashable, Sendable {
  /// The terminal's default color.
  case `default`
  /// One of the sixteen named colors.
  case ansi(ANSIColor)
  /// A color of the 256-color palette: the sixteen named ones, a 6×6×6 cube, and 24 grays.
  case indexed(UInt8)
  /// A 24-bit color.
  case rgb(UInt8, UInt8, UInt8)
}

extension Color {
  /// The red, green and blue components; nil for the default color.
  ///
  /// For the sixteen named colors these are xterm's defaults, as the actual colors are unknown.
  public var components: RGB? {
    switch self {
    case .default: nil
    case .ansi(let color): RGB.ansi[Int(color.rawValue) % RGB.ansi.count]
    case .indexed(let index): RGB(index: index)
    case .rgb(let red, let green, let blue): RGB(red: red, green: green, blue: blue)
    }
  }
}

/// The red, green and blue components of a color.
public struct RGB: Hashable, Sendable {
  /// The red component.
  public let red: UInt8
  /// The green component.
  public let green: UInt8
  /// The blue component.
  public let blue: UInt8

  /// Creates a color from its components.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates the color of an entry of the 256-color palette.
  public init(index: UInt8) {
    switch index {
    case 0..<16:
      self = Self.ansi[Int(index)]
    case 16..<232:
      let steps = Self.cubeSteps
      let index = Int(index) - 16
      self.init(red: steps[index / 36], green: steps[index / 6 % 6], blue: steps[index % 6])
    default:
      let grey = 8 + 10 * (index - 232)
      self.init(red: grey, green: grey, blue: grey)
    }
  }

  /// The component values in the color cube of the palette.
  static let cubeSteps: [UInt8] = [0, 95, 135, 175, 215, 255]

  /// The sixteen named colors with xterm's defaults.
  static let ansi: [RGB] = [
    RGB(red: 0, green: 0, blue: 0), RGB(red: 205, green: 0, blue: 0),
    RGB(red: 0, green: 205, blue: 0), RGB(red: 205, green: 205, blue: 0),
    RGB(red: 0, green: 0, blue: 238), RGB(red: 205, green: 0, blue: 205),
    RGB(red: 0, green: 205, blue: 205), RGB(red: 229, green: 229, blue: 229),
    RGB(red: 127, green: 127, blue: 127), RGB(red: 255, green: 0, blue: 0),
    RGB(red: 0, green: 255, blue: 0), RGB(red: 255, green: 255, blue: 0),
    RGB(red: 92, green: 92, blue: 255), RGB(red: 255, green: 0, blue: 255),
    RGB(red: 0, green: 255, blue: 255), RGB(red: 255, green: 255, blue: 255),
  ]

  /// Returns the perceived difference between two colors, in arbitrary units for comparisons.
  func distance(to other: RGB) -> Int {
    // The "redmean" approximation: the eye is most sensitive to green, and the weights of red and
    // blue depend on the mean of the reds.
    let meanRed = (Int(red) + Int(other.red)) / 2
    let red = Int(red) - Int(other.red)
    let green = Int(green) - Int(other.green)
    let blue = Int(blue) - Int(other.blue)
    return (512 + meanRed) * red * red / 256 + 4 * green * green
      + (767 - meanRed) * blue * blue / 256
  }
}
