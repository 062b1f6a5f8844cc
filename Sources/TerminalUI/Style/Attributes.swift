/// Text attributes other than colors.
public struct Attributes: OptionSet, Hashable, Sendable {
  /// One bit per attribute.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Heavy, or bright on terminals without a heavy font.
  public static let bold = Attributes(rawValue: 1)
  /// Faint.
  public static let dim = Attributes(rawValue: 2)
  /// Slanted.
  public static let italic = Attributes(rawValue: 4)
  /// Underlined.
  public static let underline = Attributes(rawValue: 8)
  /// With the text and background colors swapped.
  public static let reverse = Attributes(rawValue: 16)
  /// Struck through.
  public static let strikethrough = Attributes(rawValue: 32)

  /// All attributes with their names in theme files and snapshots, in a fixed order.
  public static let named: [(name: String, attribute: Attributes)] = [
    ("bold", .bold), ("dim", .dim), ("italic", .italic), ("underline", .underline),
    ("reverse", .reverse), ("strikethrough", .strikethrough),
  ]
}
