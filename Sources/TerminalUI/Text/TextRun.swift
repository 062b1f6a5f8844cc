/// A piece of text and how it looks.
public struct TextRun: Hashable, Sendable {
  /// The text.
  public var text: String
  /// How it looks.
  public var style: Style
  /// The address that it leads to, where the terminal has links; nil where it leads nowhere.
  public var link: String?

  /// Makes a run of text in one style.
  public init(_ text: String, style: Style = .plain, link: String? = nil) {
    self.text = text
    self.style = style
    self.link = link
  }
}
