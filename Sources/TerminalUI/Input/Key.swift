/// Keys that are held down together with another one.
public struct Modifiers: OptionSet, Hashable, Sendable {
  /// One bit for each key.
  public let rawValue: UInt8

  /// Makes a set of its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The Shift key; never set for characters, where it shows in the character itself.
  public static let shift = Modifiers(rawValue: 1)
  /// The Alt key, also called Meta or Option.
  public static let alt = Modifiers(rawValue: 2)
  /// The Control key.
  public static let control = Modifiers(rawValue: 4)
}

/// A key that was pressed, with the keys held down besides.
///
/// There is one spelling of each: with Control a letter is in lower case, and the characters for
/// Enter, Tab, Escape and Backspace are always those keys.
public struct Key: Hashable, Sendable {
  /// Which key it is.
  public enum Code: Hashable, Sendable {
    /// A key that writes a character.
    case character(Character)
    /// Enter or Return.
    case enter
    /// Tab.
    case tab
    /// Tab with Shift.
    case backTab
    /// Escape.
    case escape
    /// Backspace.
    case backspace
    /// Delete, which removes what is after the cursor.
    case delete
    /// Insert.
    case insert
    /// An arrow.
    case up, down, left, right
    /// A key to the beginning or end.
    case home, end
    /// A key that moves by a page.
    case pageUp, pageDown
    /// A function key, from 1.
    case function(Int)
  }

  /// Which key it is.
  public var code: Code
  /// What else is held down.
  public var modifiers: Modifiers

  /// Makes a key in its one spelling.
  public init(_ code: Code, modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
    normalize()
  }

  /// The key of a character.
  public static func character(_ character: Character) -> Key { Key(.character(character)) }
  /// The key of a character while Control is held down.
  public static func control(_ character: Character) -> Key {
    Key(.character(character), modifiers: .control)
  }
  /// The key of a character while Alt is held down.
  public static func alt(_ character: Character) -> Key {
    Key(.character(character), modifiers: .alt)
  }
  /// A function key, from 1.
  public static func function(_ number: Int) -> Key { Key(.function(number)) }

  /// Enter or Return.
  public static let enter = Key(.enter)
  /// Tab.
  public static let tab = Key(.tab)
  /// Tab with Shift.
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
  /// The arrow up.
  public static let up = Key(.up)
  /// The arrow down.
  public static let down = Key(.down)
  /// The arrow to the left.
  public static let left = Key(.left)
  /// The arrow to the right.
  public static let right = Key(.right)
  /// The key to the beginning.
  public static let home = Key(.home)
  /// The key to the end.
  public static let end = Key(.end)
  /// The key to the page before.
  public static let pageUp = Key(.pageUp)
  /// The key to the page after.
  public static let pageDown = Key(.pageDown)

  /// The character that the key writes; nil for other keys, and with Control or Alt.
  public var text: Character? {
    guard case .character(let character) = code,
      modifiers.isDisjoint(with: [.control, .alt])
    else { return nil }
    return character
  }

  /// Brings the key into its one spelling.
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
