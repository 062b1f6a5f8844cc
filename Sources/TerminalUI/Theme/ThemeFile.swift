/// The contents of a theme file, before inheritance is resolved.
struct ThemeFile {
  /// The name in the file.
  var name: String?
  /// The name of the inherited theme.
  var inherits: String?
  /// The palette colors by name.
  var palette: [String: Color] = [:]
  /// The styles of roles, with unresolved colors.
  var styles: [ThemeRole: StyleEntry] = [:]
  /// The first style with an unknown role name, which may be misspelt.
  private(set) var strangeRole: (name: String, position: ThemeFilePosition)?
  /// The position of the styles; nil if there are none.
  private(set) var stylesPosition: ThemeFilePosition?
  /// The warnings about ignored parts of the file.
  var warnings: [String] = []

  /// The style of a role in a file.
  struct StyleEntry {
    var foreground: ColorName?
    var background: ColorName?
    var attributes: Attributes?
  }

  /// A color or the name of one, with its position.
  struct ColorName {
    var text: String
    var position: ThemeFilePosition
    var source: String
  }

  private let source: String

  /// Parses the text of a theme file.
  ///
  /// - Throws: ``ThemeError`` if it is not valid JSON or does not have the structure of a theme.
  init(_ text: String, source: String) throws(ThemeError) {
    self.source = source
    let root: ThemeJSON
    do {
      root = try ThemeJSONParser.parse(text)
    } catch {
      throw ThemeError(
        code: .invalid, file: source, position: error.position, message: error.message)
    }
    for member in try members(of: root, called: Messages.theme) {
      switch member.name {
      case "name": name = try string(member)
      case "inherits": inherits = try string(member)
      case "palette": try readPalette(member.value)
      case "styles": try readStyles(member.value)
      case "$schema", "description", "author", "license": break
      default: warn(Messages.unknownMember(member.name, of: Messages.theme), member.position)
      }
    }
  }

  private mutating func readPalette(_ value: ThemeJSON) throws(ThemeError) {
    for member in try members(of: value, called: "\"palette\"") {
      if let color = Color(themeText: try colorText(member.value, of: member.name)) {
        palette[member.name] = color
      } else {
        warn(Messages.notColor(member.name), member.value.position)
      }
    }
  }

  private mutating func readStyles(_ value: ThemeJSON) throws(ThemeError) {
    stylesPosition = value.position
    for member in try members(of: value, called: "\"styles\"") {
      let entry = try styleEntry(member)
      if let role = ThemeRole(rawValue: member.name) {
        styles[role] = entry
      } else {
        strangeRole = strangeRole ?? (member.name, member.position)
        warn(Messages.unknown("role", member.name), member.position)
      }
    }
  }

  private mutating func styleEntry(_ member: ThemeJSON.Member) throws(ThemeError) -> StyleEntry {
    guard case .object(let parts) = member.value.value else {
      let text = try colorText(member.value, of: member.name)
      return StyleEntry(
        foreground: ColorName(text: text, position: member.value.position, source: source))
    }
    var entry = StyleEntry()
    for part in parts {
      switch part.name {
      case "fg", "foreground":
        entry.foreground = ColorName(
          text: try colorText(part.value, of: part.name), position: part.value.position,
          source: source)
      case "bg", "background":
        entry.background = ColorName(
          text: try colorText(part.value, of: part.name), position: part.value.position,
          source: source)
      case "attributes": entry.attributes = try attributes(part.value)
      default: warn(Messages.unknownMember(part.name, of: "a style"), part.position)
      }
    }
    return entry
  }

  private mutating func attributes(_ value: ThemeJSON) throws(ThemeError) -> Attributes {
    guard case .array(let elements) = value.value else {
      throw invalid(Messages.wrongType("\"attributes\"", "a list", not: value), value.position)
    }
    var attributes: Attributes = []
    for element in elements {
      guard case .string(let name) = element.value else {
        throw invalid(
          Messages.wrongType(Messages.attribute, "a string", not: element), element.position)
      }
      if let known = Attributes.named.first(where: { $0.name == name }) {
        attributes.insert(known.attribute)
      } else {
        warn(Messages.unknown("attribute", name), element.position)
      }
    }
    return attributes
  }

  private func members(
    of value: ThemeJSON, called name: String
  ) throws(ThemeError) -> [ThemeJSON.Member] {
    guard case .object(let members) = value.value else {
      throw invalid(Messages.wrongType(name, "an object", not: value), value.position)
    }
    return members
  }

  private func string(_ member: ThemeJSON.Member) throws(ThemeError) -> String {
    guard case .string(let text) = member.value.value else {
      throw invalid(
        Messages.wrongType("“\(member.name)”", "a string", not: member.value),
        member.value.position)
    }
    return text
  }

  /// Returns the text of a color, which may also be a number of the 256-color palette.
  private func colorText(_ value: ThemeJSON, of name: String) throws(ThemeError) -> String {
    switch value.value {
    case .string(let text): return text
    case .number(let number):
      guard let index = UInt8(exactly: number) else {
        throw invalid(Messages.colorNumber, value.position)
      }
      return String(index)
    default:
      throw invalid(
        Messages.wrongType("“\(Sanitizer.display(name))”", "a color", not: value),
        value.position)
    }
  }

  private func invalid(_ message: String, _ position: ThemeFilePosition) -> ThemeError {
    ThemeError(code: .invalid, file: source, position: position, message: message)
  }

  /// Adds a warning about an ignored part.
  mutating func warn(_ message: String, _ position: ThemeFilePosition) {
    let message = Sanitizer.display(message)
    warnings.append("\(source):\(position.line):\(position.column): \(message)")
  }
}
