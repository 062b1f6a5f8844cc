extension Key {
  /// Parses a key in common notation: `Enter`, `?`, `Ctrl-R`, `Alt-Shift-Up`, `F5`.
  ///
  /// Also accepts the short forms of key scripts: `C-r`, `A-x`, `M-x`, `S-Tab`, `^R`, `CR`, `lt`.
  /// Key names are case-insensitive. Returns nil for anything else.
  public init?(_ notation: String) {
    var rest = Substring(notation)
    var modifiers: Modifiers = []
    while let dash = rest.dropFirst().firstIndex(of: "-"), rest.index(after: dash) < rest.endIndex {
      guard let modifier = Self.modifierNames[rest[..<dash].lowercased()] else { return nil }
      modifiers.insert(modifier)
      rest = rest[rest.index(after: dash)...]
    }
    if rest.count == 2, rest.first == "^" {
      modifiers.insert(.control)
      rest = rest.dropFirst()
    }
    guard let code = Self.code(named: rest) else { return nil }
    self.init(code, modifiers: modifiers)
  }

  /// Returns the code of a key by its name or character.
  private static func code(named name: Substring) -> Code? {
    if name.count == 1, let character = name.first { return .character(character) }
    let name = name.lowercased()
    if let code = codes[name] { return code }
    if name.hasPrefix("f"), let number = Int(name.dropFirst()), (1...63).contains(number) {
      return .function(number)
    }
    return nil
  }

  /// The names of the modifiers, in lower case.
  private static let modifierNames: [String: Modifiers] = [
    "ctrl": .control, "control": .control, "c": .control,
    "alt": .alt, "meta": .alt, "a": .alt, "m": .alt,
    "shift": .shift, "s": .shift,
  ]

  /// The names of keys that have any; the first one is canonical.
  private static let names: [(code: Code, names: [String])] = [
    (.enter, ["Enter", "Return", "CR"]), (.tab, ["Tab"]),
    (.backTab, ["Shift-Tab", "BackTab"]), (.escape, ["Esc", "Escape"]),
    (.backspace, ["Backspace", "BS"]), (.delete, ["Delete", "Del"]), (.insert, ["Insert", "Ins"]),
    (.up, ["Up"]), (.down, ["Down"]), (.left, ["Left"]), (.right, ["Right"]),
    (.home, ["Home"]), (.end, ["End"]), (.pageUp, ["PgUp", "PageUp"]),
    (.pageDown, ["PgDn", "PageDown", "PgDown"]), (.character(" "), ["Space"]),
    (.character("<"), ["lt"]), (.character(">"), ["gt"]),
  ]

  /// The codes by name, in lower case.
  private static let codes = Dictionary(
    names.flatMap { entry in entry.names.map { ($0.lowercased(), entry.code) } },
    uniquingKeysWith: { first, _ in first })

  /// The canonical names by code.
  private static let firstNames = Dictionary(
    names.compactMap { entry in entry.names.first.map { (entry.code, $0) } },
    uniquingKeysWith: { first, _ in first })
}

extension Key: CustomStringConvertible {
  /// The key in canonical notation, which ``init(_:)`` accepts: `Ctrl-R`, `Shift-Tab`, `?`.
  public var description: String {
    var text = ""
    if modifiers.contains(.control) { text += "Ctrl-" }
    if modifiers.contains(.alt) { text += "Alt-" }
    if modifiers.contains(.shift) { text += "Shift-" }
    switch code {
    case .character("<"): text += "<"
    case .character(">"): text += ">"
    case .character(let character) where modifiers.contains(.control) && character != " ":
      text += character.uppercased()
    case .function(let number): text += "F\(number)"
    case .character(let character) where character != " ": text.append(character)
    default: text += Self.firstNames[code] ?? "?"
    }
    return text
  }
}
