/// The look of a cell: two colours and a set of attributes.
public struct Style: Hashable, Sendable {
  /// The colour of the text.
  public var foreground: Color
  /// The colour behind the text.
  public var background: Color
  /// What else the text looks like.
  public var attributes: Attributes

  /// Makes a style; what is not given is as the terminal has it.
  public init(
    foreground: Color = .default, background: Color = .default, attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// What the terminal shows when it is told nothing.
  public static let plain = Style()

  /// The style with another one over it: its colours where they are not the default, and the
  /// attributes of both.
  public func merging(_ other: Style) -> Style {
    Style(
      foreground: other.foreground == .default ? foreground : other.foreground,
      background: other.background == .default ? background : other.background,
      attributes: attributes.union(other.attributes))
  }

  /// The style with further attributes.
  public func adding(_ attributes: Attributes) -> Style {
    var style = self
    style.attributes.formUnion(attributes)
    return style
  }

  /// The style on another background.
  public func on(_ background: Color) -> Style {
    var style = self
    style.background = background
    return style
  }
}

extension Style: CustomStringConvertible {
  /// The style in words, such as `ansi red on #202020, bold`, or `plain`.
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
  /// The colour in words: `default`, `red`, `42` or `#ff8800`.
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
