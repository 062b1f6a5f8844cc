/// A run of text in one style.
public struct TextRun: Hashable, Sendable {
  /// The text.
  public var text: String
  /// The style.
  public var style: Style
  /// The URL of its hyperlink, if any, for terminals that support links.
  public var link: String?

  /// Creates a run of text.
  public init(_ text: String, style: Style = .plain, link: String? = nil) {
    self.text = text
    self.style = style
    self.link = link
  }
}
