/// Combines a theme file with the files that it inherits.
enum ThemeResolver {
  /// Combines files, from the most specific to the most general.
  ///
  /// Palettes are merged before colors are looked up, so a theme can change just a color of the
  /// theme that it inherits.
  static func resolve(
    _ files: [ThemeFile], name: String, source: String
  ) throws(ThemeError) -> (theme: Theme, warnings: [String]) {
    var warnings = files.flatMap(\.warnings)
    var palette: [String: Color] = [:]
    var entries: [ThemeRole: ThemeFile.StyleEntry] = [:]
    for file in files.reversed() {
      palette.merge(file.palette) { _, new in new }
      entries.merge(file.styles) { _, new in new }
    }
    var used: Set<String> = []
    func color(_ name: ThemeFile.ColorName?) -> Color? {
      guard let name else { return nil }
      if let color = palette[name.text] {
        used.insert(name.text)
        return color
      }
      if let color = Color(themeText: name.text) { return color }
      warnings.append(
        "\(name.source):\(name.position.line):\(name.position.column): "
          + Messages.unknown("color", name.text))
      return nil
    }
    var styles: [ThemeRole: PartialStyle] = [:]
    for role in ThemeRole.allCases {
      guard let entry = entries[role] else { continue }
      styles[role] = PartialStyle(
        foreground: color(entry.foreground), background: color(entry.background),
        attributes: entry.attributes)
    }
    let missing = ThemeRole.required.filter { styles[$0] == nil }
    guard missing.isEmpty else {
      let strange = files.first?.strangeRole
      throw ThemeError(
        code: .invalid, file: source,
        position: strange?.position ?? files.first?.stylesPosition,
        message: Messages.noStyle(for: missing, unknown: strange?.name))
    }
    for name in (files.first?.palette.keys.sorted() ?? []) where !used.contains(name) {
      warnings.append("\(source): \(Messages.unusedColor(name))")
    }
    let title = files.first?.name ?? name
    return (Theme(name: Sanitizer.display(title), partialStyles: styles), warnings)
  }
}
