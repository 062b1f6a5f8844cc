/// Modifier keys.
public struct Modifiers: OptionSet, Hashable, Sendable {
  /// One bit per key.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The Shift key; never set for characters, which already reflect it.
  public static let shift = Modifiers(rawValue: 1)
  /// The Alt key, also called Meta or Option.
  public static let alt = Modifiers(rawValue: 2)
  /// The Control key.
  public static let control = Modifiers(rawValue: 4)
}

/// A key press with its modifiers.
///
/// Each key has a single representation: with Control, letters are in lower case, and the
/// characters for Enter, Tab, Escape and Backspace are always represented by those keys.
public struct Key: Hashable, Sendable {
  /// The keys.
  public enum Code: Hashable, Sendable {
    /// A key that types a character.
    case character(Character)
    /// Enter or Return.
    case enter
    /// Tab.
    case tab
    /// Shift-Tab.
    case backTab
    /// Escape.
    case escape
    /// Backspace.
    case backspace
    /// Forward delete.
    case delete
    /// Insert.
    case insert
    /// An arrow key.
    case up, down, left, right
    /// Home or End.
    case home, end
    /// Page Up or Page Down.
    case pageUp, pageDown
    /// A function key, from 1.
    case function(Int)
  }

  /// The key.
  public var code: Code
  /// The modifiers.
  public var modifiers: Modifiers

  /// Creates a key in its canonical representation.
  public init(_ code: Code, modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
    normalize()
  }

  /// Returns the key of a character.
  public static func character(_ character: Character) -> Key { Key(.character(character)) }
  /// Returns the key of a character with Control.
  public static func control(_ character: Character) -> Key {
    Key(.character(character), modifiers: .control)
  }
  /// Returns the key of a character with Alt.
  public static func alt(_ character: Character) -> Key {
    Key(.character(character), modifiers: .alt)
  }
  /// Returns a function key, from 1.
  public static func function(_ number: Int) -> Key { Key(.function(number)) }

  /// Enter or Return.
  public static let enter = Key(.enter)
  /// Tab.
  public static let tab = Key(.tab)
  /// Shift-Tab.
  public static let backTab = Key(.backTab)
  /// Escape.
  public static let escape = Key(.escape)
  /// Backspace.
  public static let backspace = Key(.backspace)
  /// Delete.
  public static let delete = Key(.delete)
  /// Insert.
  public static let insert = Key(.insert)
  /// The space bar.
  public static let space = Key(.character(" "))
  /// The up arrow.
  public static let up = Key(.up)
  /// The down arrow.
  public static let down = Key(.down)
  /// The left arrow.
  public static let left = Key(.left)
  /// The right arrow.
  public static let right = Key(.right)
  /// Home.
  public static let home = Key(.home)
  /// End.
  public static let end = Key(.end)
  /// Page Up.
  public static let pageUp = Key(.pageUp)
  /// Page Down.
  public static let pageDown = Key(.pageDown)

  /// The character that the key types; nil for other keys, and with Control or Alt.
  public var text: Character? {
    guard case .character(let character) = code,
      modifiers.isDisjoint(with: [.control, .alt])
    else { return nil }
    return character
  }

  /// Converts the key to its canonical representation.
  private mutating func normalize() {
    switch code {
    case .tab where modifiers.contains(.shift):
      code = .backTab
      modifiers.remove(.shift)
    case .backTab:
      modifiers.remove(.shift)
    case .character("\r"), .character("\n"), .character("\r\n"): code = .enter
    case .character("\t"):
      code = modifiers.contains(.shift) ? .backTab : .tab
      modifiers.remove(.shift)
    case .character("\u{1b}"): code = .escape
    case .character("\u{7f}"), .character("\u{8}"): code = .backspace
    case .character(let character):
      if modifiers.contains(.control) {
        let lower = character.lowercased()
        code = .character(lower.count == 1 ? Character(lower) : character)
        modifiers.remove(.shift)
      } else if modifiers.contains(.shift) {
        let upper = character.uppercased()
        code = .character(upper.count == 1 ? Character(upper) : character)
        modifiers.remove(.shift)
      }
    default: break
    }
  }
}
