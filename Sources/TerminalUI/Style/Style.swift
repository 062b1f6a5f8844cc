/// The appearance of a cell: two colors and a set of attributes.
public struct Style: Hashable, Sendable {
  /// The color of the text.
  public var foreground: Color
  /// The color behind the text.
  public var background: Color
  /// The attributes of the text.
  public var attributes: Attributes

  /// Creates a style; omitted parts are the terminal's defaults.
  public init(
    foreground: Color = .default, background: Color = .default, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The terminal's default style.
  public static let plain = Style()

  /// Returns the style overlaid with another one, whose colors apply unless they are the default;
  /// attributes are combined.
  public func merging(_ other: Style) -> Style {
    Style(
      foreground: other.foreground == .default ? foreground : other.foreground,
      background: other.background == .default ? background : other.background,
      attributes: attributes.union(other.attributes))
  }

  /// Returns the style with additional attributes.
  public func adding(_ attributes: Attributes) -> Style {
    var style = self
    style.attributes.formUnion(attributes)
    return style
  }

  /// Returns the style with a different background.
  public func on(_ background: Color) -> Style {
    var style = self
    style.background = background
    return style
  }
}

extension Style: CustomStringConvertible {
  /// A textual description such as `ansi red on #202020, bold`, or `plain`.
  public var description: String {
    var parts: [String] = []
    switch (foreground, background) {
    case (.default, .default): break
    case (_, .default): parts.append(foreground.description)
    case (.default, _): parts.append("on \(background)")
    default: parts.append("\(foreground) on \(background)")
    }
    parts += Attributes.named.filter { attributes.contains($0.attribute) }.map(\.name)
    return parts.isEmpty ? "plain" : parts.joined(separator: ", ")
  }
}

extension Color: CustomStringConvertible {
  /// A textual description: `default`, `red`, `42` or `#ff8800`.
  public var description: String {
    switch self {
    case .default: "default"
    case .ansi(let color): "\(color)"
    case .indexed(let index): "\(index)"
    case .rgb(let red, let green, let blue):
      "#"
        + [red, green, blue].map { value in
          (value < 16 ? "0" : "") + String(value, radix: 16)
        }.joined()
    }
  }
}
