import CNcurses
import TerminalUI

/// A key in TerminalUI; the name `Key` alone would be ambiguous with the one in ncurses.
typealias TerminalKey = TerminalUI.Key

/// The mapping from ncurses key codes to keys.
///
/// No other type uses those codes.
enum NcursesKeys {
  /// Returns the input token for a key code from `getch`.
  static func token(_ number: Int32) -> InputToken? {
    if number == KEY_RESIZE { return nil }
    if number == KEY_MOUSE { return .mousePrefix }
    if let key = table[number] { return .key(key) }
    let function = number - cn_key_function(0)
    if (1...63).contains(function) { return .key(functionKey(Int(function))) }
    if let name = keyname(number), let key = extendedKey(String(cString: name)) { return .key(key) }
    return .unknownKey
  }

  /// The keys with their own codes.
  static let table: [Int32: TerminalKey] = [
    KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right,
    KEY_HOME: .home, KEY_END: .end, KEY_NPAGE: .pageDown, KEY_PPAGE: .pageUp,
    KEY_A1: .home, KEY_A3: .pageUp, KEY_C1: .end, KEY_C3: .pageDown,
    KEY_FIND: .home, KEY_SELECT: .end, KEY_LL: .end,
    KEY_DC: .delete, KEY_IC: .insert, KEY_BACKSPACE: .backspace, KEY_ENTER: .enter,
    KEY_BTAB: .backTab,
    KEY_SLEFT: shift(.left), KEY_SRIGHT: shift(.right), KEY_SR: shift(.up), KEY_SF: shift(.down),
    KEY_SHOME: shift(.home), KEY_SEND: shift(.end), KEY_SDC: shift(.delete),
    KEY_SIC: shift(.insert), KEY_SNEXT: shift(.pageDown), KEY_SPREVIOUS: shift(.pageUp),
  ]

  /// Returns a function key; those beyond F12 are the first twelve with modifiers on current
  /// terminals.
  static func functionKey(_ number: Int) -> TerminalKey {
    let modifiers: [Modifiers] = [[], .shift, .control, [.control, .shift], .alt, [.alt, .shift]]
    let group = (number - 1) / 12
    guard number > 0, modifiers.indices.contains(group) else { return .function(number) }
    return TerminalKey(.function((number - 1) % 12 + 1), modifiers: modifiers[group])
  }

  /// Returns the key for an extended terminfo name: `kUP5` is the up arrow with Control.
  static func extendedKey(_ name: String) -> TerminalKey? {
    let codes: [String: TerminalKey.Code] = [
      "kUP": .up, "kDN": .down, "kLFT": .left, "kRIT": .right, "kHOM": .home, "kEND": .end,
      "kNXT": .pageDown, "kPRV": .pageUp, "kDC": .delete, "kIC": .insert,
    ]
    if let code = codes[name] { return TerminalKey(code, modifiers: .shift) }
    guard let digit = name.last?.wholeNumberValue, let code = codes[String(name.dropLast())] else {
      return nil
    }
    return TerminalKey(code, modifiers: Modifiers(xterm: digit))
  }

  /// Returns a key with Shift.
  private static func shift(_ code: TerminalKey.Code) -> TerminalKey {
    TerminalKey(code, modifiers: .shift)
  }
}

extension Modifiers {
  /// Creates modifiers from xterm's modifier parameter.
  ///
  /// The parameter is one more than the sum of 1 for Shift, 2 for Alt and 4 for Control. Other bits
  /// are ignored.
  init(xterm number: Int) {
    self.init(rawValue: UInt8(truncatingIfNeeded: max(0, number &- 1)) & 7)
  }
}
