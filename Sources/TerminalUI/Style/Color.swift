/// One of the sixteen colours that terminals name and people set to their taste.
public enum ANSIColor: UInt8, CaseIterable, Sendable {
  /// A normal colour.
  case black, red, green, yellow, blue, magenta, cyan, white
  /// A bright colour.
  case brightBlack, brightRed, brightGreen, brightYellow
  /// A bright colour.
  case brightBlue, brightMagenta, brightCyan, brightWhite
}

/// A colour of text or of its background, from the terminal's own to any of sixteen million.
///
/// A terminal that cannot show it gets the nearest that it can: see ``ColorDepth``.
public enum Color: Hashable, Sendable {
  /// The colour the terminal uses when it is told nothing.
  case `default`
  /// One of the sixteen named colours.
  case ansi(ANSIColor)
  /// A colour of the fixed table of 256: the sixteen, a cube of 6×6×6, and 24 greys.
  case indexed(UInt8)
  /// Amounts of red, green and blue.
  case rgb(UInt8, UInt8, UInt8)
}

extension Color {
  /// The amounts of red, green and blue, as nearly as they are known; nil for the default colour.
  ///
  /// The sixteen named colours count as the ones xterm is delivered with.
  public var components: RGB? {
    switch self {
    case .default: nil
    case .ansi(let color): RGB.ansi[Int(color.rawValue) % RGB.ansi.count]
    case .indexed(let index): RGB(index: index)
    case .rgb(let red, let green, let blue): RGB(red: red, green: green, blue: blue)
    }
  }
}

/// Amounts of red, green and blue.
public struct RGB: Hashable, Sendable {
  /// The amount of red.
  public let red: UInt8
  /// The amount of green.
  public let green: UInt8
  /// The amount of blue.
  public let blue: UInt8

  /// Makes a colour of three amounts.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Makes the colour that an entry of the table of 256 stands for.
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

  /// The amounts that the colour cube of the table of 256 is made of.
  static let cubeSteps: [UInt8] = [0, 95, 135, 175, 215, 255]

  /// The sixteen named colours as xterm is delivered with them.
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

  /// How far apart two colours look, as a number to compare and not to print.
  func distance(to other: RGB) -> Int {
    // Green counts most for the eye and blue least; the weights follow the mean of the reds.
    let meanRed = (Int(red) + Int(other.red)) / 2
    let red = Int(red) - Int(other.red)
    let green = Int(green) - Int(other.green)
    let blue = Int(blue) - Int(other.blue)
    return (512 + meanRed) * red * red / 256 + 4 * green * green
      + (767 - meanRed) * blue * blue / 256
  }
}
