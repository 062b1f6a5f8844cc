/// A style for every role.
///
/// ```swift
/// screen.put("3 keys", at: point, style: theme[.status])
/// ```
public struct Theme: Hashable, Sendable {
  /// What the theme is called.
  public let name: String

  private var styles: [ThemeRole: Style]

  /// Makes a theme of what is said about some roles.
  ///
  /// Each colour, and the attributes as a whole, that a role leaves out come from the nearest of
  /// its ``ThemeRole/fallbacks`` that has them.
  init(name: String, partialStyles: [ThemeRole: PartialStyle]) {
    self.name = name
    var styles: [ThemeRole: Style] = [:]
    for role in ThemeRole.allCases {
      let sources = ([role] + role.fallbacks).compactMap { partialStyles[$0] }
      styles[role] = Style(
        foreground: sources.lazy.compactMap(\.foreground).first ?? .default,
        background: sources.lazy.compactMap(\.background).first ?? .default,
        attributes: sources.lazy.compactMap(\.attributes).first ?? [])
    }
    self.styles = styles
  }

  /// The style of a role.
  public subscript(role: ThemeRole) -> Style { styles[role] ?? .plain }

  /// The same theme with attributes added to those of a role.
  func adding(_ attributes: Attributes, to role: ThemeRole) -> Theme {
    var theme = self
    theme.styles[role, default: .plain].attributes.formUnion(attributes)
    return theme
  }

  /// The roles that look exactly like a style, in the order of ``ThemeRole/allCases``.
  ///
  /// For snapshots, which name styles by what they are for.
  public func roles(of style: Style) -> [ThemeRole] {
    ThemeRole.allCases.filter { self[$0] == style }
  }
}
