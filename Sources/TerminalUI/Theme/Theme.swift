/// The styles of all roles.
///
/// ```swift
/// screen.put("3 keys", at: point, style: theme[.status])
/// ```
public struct Theme: Hashable, Sendable {
  /// The name of the theme.
  public let name: String

  private var styles: [ThemeRole: Style]

  /// Creates a theme from partial styles.
  ///
  /// If a role has no foreground, no background or no attributes, each comes from the nearest of
  /// its ``ThemeRole/fallbacks`` that has it.
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

  /// Returns the theme with attributes added to a role.
  func adding(_ attributes: Attributes, to role: ThemeRole) -> Theme {
    var theme = self
    theme.styles[role, default: .plain].attributes.formUnion(attributes)
    return theme
  }

  /// Returns the roles with a given style, in the order of ``ThemeRole/allCases``.
  ///
  /// Used in snapshots to name styles by their role.
  public func roles(of style: Style) -> [ThemeRole] {
    ThemeRole.allCases.filter { self[$0] == style }
  }
}
