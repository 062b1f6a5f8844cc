extension Theme {
  /// The default theme, which uses the terminal's own background and its sixteen colors.
  public static let `default` = Theme(
    name: "default",
    partialStyles: [
      .text: PartialStyle(foreground: .default, background: .default, attributes: []),
      .textDim: colored(.brightBlack),
      .textAccent: colored(.cyan),
      .border: colored(.brightBlack),
      .borderFocused: colored(.cyan),
      .title: PartialStyle(attributes: .bold),
      .listRowSelected: PartialStyle(
        foreground: .ansi(.black), background: .ansi(.cyan), attributes: []),
      .listRowSelectedUnfocused: PartialStyle(
        foreground: .ansi(.black), background: .ansi(.white), attributes: []),
      .listRowMarked: colored(.yellow, .bold),
      .listHeader: colored(.brightBlack, .bold),
      .valueNull: colored(.brightBlack, .italic),
      .valueBool: colored(.brightMagenta),
      .valueNumber: colored(.cyan),
      .valueText: colored(.green),
      .valueData: colored(.yellow),
      .valueName: colored(.cyan, .bold),
      .match: colored(.yellow, [.bold, .underline]),
      .status: PartialStyle(attributes: .reverse),
      .statusReadonly: PartialStyle(attributes: [.reverse, .bold]),
      .statusMode: PartialStyle(attributes: [.reverse, .bold]),
      .hints: colored(.brightBlack),
      .hintsKey: PartialStyle(foreground: .default, attributes: .bold),
      .promptError: colored(.brightRed),
      .dialogTitle: PartialStyle(attributes: .bold),
      .dialogDanger: colored(.brightRed, .bold),
      .messageInfo: colored(.green),
      .messageWarning: colored(.yellow),
      .messageError: colored(.brightRed, .bold),
      .cacheFresh: colored(.green),
      .cacheSoon: colored(.yellow),
      .cacheExpired: colored(.brightRed),
      .cacheNone: colored(.brightBlack),
      .diffMine: colored(.green),
      .diffTheirs: colored(.brightRed),
      .cursor: PartialStyle(attributes: .reverse),
    ])

  /// The default theme for light backgrounds, on which cyan, green and yellow are hard to read.
  public static let defaultLight = Theme(
    name: "default-light",
    partialStyles: [
      .text: PartialStyle(foreground: .default, background: .default, attributes: []),
      .textDim: PartialStyle(attributes: .dim),
      .textAccent: colored(.blue),
      .border: colored(.brightBlack),
      .borderFocused: colored(.blue),
      .title: PartialStyle(attributes: .bold),
      .listRowSelected: PartialStyle(
        foreground: .ansi(.white), background: .ansi(.blue), attributes: .bold),
      .listRowSelectedUnfocused: PartialStyle(
        foreground: .ansi(.black), background: .ansi(.white), attributes: []),
      .listRowMarked: colored(.magenta, .bold),
      .listHeader: PartialStyle(attributes: .bold),
      .valueNull: PartialStyle(attributes: [.dim, .italic]),
      .valueBool: colored(.magenta),
      .valueNumber: colored(.blue),
      .valueData: colored(.magenta),
      .valueName: colored(.blue, .bold),
      .match: colored(.red, [.bold, .underline]),
      .status: PartialStyle(attributes: .reverse),
      .statusReadonly: PartialStyle(attributes: [.reverse, .bold]),
      .statusMode: PartialStyle(attributes: [.reverse, .bold]),
      .hints: PartialStyle(attributes: .dim),
      .hintsKey: PartialStyle(foreground: .default, attributes: .bold),
      .promptError: colored(.red),
      .dialogTitle: PartialStyle(attributes: .bold),
      .dialogDanger: colored(.red, .bold),
      .messageInfo: colored(.blue),
      .messageWarning: colored(.magenta),
      .messageError: colored(.red, .bold),
      .cacheFresh: colored(.blue),
      .cacheSoon: colored(.magenta),
      .cacheExpired: colored(.red),
      .cacheNone: PartialStyle(attributes: .dim),
      .diffMine: colored(.blue),
      .diffTheirs: colored(.red),
      .cursor: PartialStyle(attributes: .reverse),
    ])

  /// A theme without colors, for monochrome terminals and `NO_COLOR`.
  public static let monochrome = Theme(
    name: "monochrome",
    partialStyles: [
      .text: PartialStyle(foreground: .default, background: .default, attributes: []),
      .textDim: PartialStyle(attributes: .dim),
      .textAccent: PartialStyle(attributes: .bold),
      .border: PartialStyle(attributes: .dim),
      .borderFocused: PartialStyle(attributes: [.bold, .reverse]),
      .title: PartialStyle(attributes: .bold),
      .listRowSelected: PartialStyle(attributes: .reverse),
      .listRowSelectedUnfocused: PartialStyle(attributes: .underline),
      .listRowMarked: PartialStyle(attributes: .bold),
      .listHeader: PartialStyle(attributes: .underline),
      .valueNull: PartialStyle(attributes: .dim),
      .valueName: PartialStyle(attributes: .bold),
      .match: PartialStyle(attributes: [.bold, .underline]),
      .status: PartialStyle(attributes: .reverse),
      .statusReadonly: PartialStyle(attributes: [.reverse, .bold]),
      .statusMode: PartialStyle(attributes: [.reverse, .bold]),
      .hintsKey: PartialStyle(attributes: .bold),
      .promptError: PartialStyle(attributes: .bold),
      .dialogTitle: PartialStyle(attributes: .bold),
      .dialogDanger: PartialStyle(attributes: [.bold, .underline]),
      .messageWarning: PartialStyle(attributes: .bold),
      .messageError: PartialStyle(attributes: [.bold, .reverse]),
      .cacheSoon: PartialStyle(attributes: .bold),
      .cacheExpired: PartialStyle(attributes: [.bold, .underline]),
      .cacheNone: PartialStyle(attributes: .dim),
      .diffMine: PartialStyle(attributes: .bold),
      .diffTheirs: PartialStyle(attributes: .underline),
      .cursor: PartialStyle(attributes: .reverse),
    ])

  /// Returns the theme to use if none is configured and the background is unknown.
  ///
  /// With sixteen colors or fewer, this is better than a theme with more colors, whose
  /// backgrounds would become indistinguishable.
  public static func builtIn(for depth: ColorDepth) -> Theme {
    depth == .monochrome ? .monochrome : .default
  }

  /// Returns the theme adapted to a color depth.
  ///
  /// With few colors, attributes are added to roles whose colors would become indistinguishable.
  /// Without colors, the result is ``monochrome`` if the theme would be illegible.
  public func fitted(to depth: ColorDepth) -> Theme {
    guard depth == .monochrome else { return depth < .indexed256 ? marked(for: depth) : self }
    let pairs: [(ThemeRole, ThemeRole)] = [
      (.listRowSelected, .text), (.listRowSelected, .listRowSelectedUnfocused),
      (.borderFocused, .title), (.status, .text),
    ]
    let isReadable = pairs.allSatisfy { depth.reduce(self[$0]) != depth.reduce(self[$1]) }
    return isReadable ? self : .monochrome
  }

  private func marked(for depth: ColorDepth) -> Theme {
    let marks: [(ThemeRole, Attributes)] = [
      (.listRowSelected, .reverse), (.listRowSelectedUnfocused, .underline), (.status, .reverse),
      (.cursor, .reverse), (.match, .underline), (.messageError, .reverse),
    ]
    return marks.reduce(self) { theme, mark in
      let (role, attributes) = mark
      let style = theme[role]
      let isSeen =
        depth.reduce(style.background) != depth.reduce(theme[.text].background)
        || style.attributes.contains(.reverse)
        || ([.match, .messageError].contains(role)
          && depth.reduce(style.foreground) != depth.reduce(theme[.text].foreground))
      return isSeen ? theme : theme.adding(attributes, to: role)
    }
  }

  /// Returns a partial style with one of the sixteen colors.
  private static func colored(
    _ color: ANSIColor, _ attributes: Attributes = []
  ) -> PartialStyle {
    PartialStyle(foreground: .ansi(color), attributes: attributes)
  }
}
