/// A piece of text and how it looks.
public struct TextRun: Hashable, Sendable {
  /// The text.
  public var text: String
  /// How it looks.
  public var style: Style

  /// Makes a run of text in one style.
  public init(_ text: String, style: Style = .plain) {
    self.text = text
    self.style = style
  }
}
