import TerminalUI

/// The sequences that xterm and compatible terminals send.
enum XtermSequences {
  /// Returns the key of a control character, or nil for other characters.
  static func controlKey(_ scalar: Unicode.Scalar) -> TerminalKey? {
    switch scalar.value {
    case 0x00: .control(" ")
    case 0x08, 0x7F: .backspace
    case 0x09: .tab
    case 0x0D: .enter
    case 0x01...0x1A:
      Unicode.Scalar(scalar.value + 0x60).map { .control(Character($0)) }
    case 0x1C...0x1F:
      Unicode.Scalar(scalar.value + 0x40).map { .control(Character($0)) }
    default: nil
    }
  }

  /// Returns the key of `ESC O x`.
  static func ss3Key(_ final: Unicode.Scalar) -> TerminalKey? {
    if final == "M" { return .enter }
    return letters[final].map { TerminalKey($0) }
  }

  /// Returns the key of `ESC [ parameters x`, or nil if it is unknown.
  static func csiKey(_ parameters: String, final: Unicode.Scalar) -> TerminalKey? {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { part in
      Int(part.prefix { $0 != ":" }) ?? 1
    }
    let modifiers = Modifiers(xterm: numbers.count > 1 ? numbers[1] : 1)
    switch final {
    case "Z": return .backTab
    case "u": return characterKey(numbers.first, modifiers)
    case "~":
      if numbers.count == 3, numbers[0] == 27 { return characterKey(numbers[2], modifiers) }
      return numbers.first.flatMap { code(ofNumber: $0) }.map {
        TerminalKey($0, modifiers: modifiers)
      }
    default: return letters[final].map { TerminalKey($0, modifiers: modifiers) }
    }
  }

  /// Parses an answer with the background color, such as `11;rgb:1a1a/1d1d/2424`.
  static func background(_ answer: String) -> RGB? {
    guard answer.hasPrefix("11;rgb") else { return nil }
    guard let colon = answer.firstIndex(of: ":") else { return nil }
    let parts = answer[answer.index(after: colon)...].split(
      separator: "/", omittingEmptySubsequences: false)
    let amounts = parts.prefix(3).compactMap { part -> UInt8? in
      // One to four digits, scaled so that the maximum is full intensity.
      guard (1...4).contains(part.count), let number = Int(part, radix: 16), number >= 0 else {
        return nil
      }
      return UInt8(clamping: number * 255 / ((1 << (4 * part.count)) - 1))
    }
    guard (3...4).contains(parts.count), amounts.count == 3 else { return nil }
    return RGB(red: amounts[0], green: amounts[1], blue: amounts[2])
  }

  /// Returns the state of a mode from an answer such as `?2026;2$`: 0 for unknown, 1 for on, 2 for
  /// off, 3 and 4 for permanently on and off; nil for other answers.
  static func state(ofMode mode: Int, _ parameters: String) -> Int? {
    guard parameters.hasPrefix("?"), parameters.hasSuffix("$") else { return nil }
    let numbers = parameters.dropFirst().dropLast().split(separator: ";")
    guard numbers.count == 2, Int(numbers[0]) == mode else { return nil }
    return Int(numbers[1])
  }

  /// Parses an SGR mouse report such as `<0;10;5`, without the `<`.
  static func mouse(parameters: String, isRelease: Bool) -> MouseEvent? {
    let numbers = parameters.split(separator: ";").map { Int($0) ?? -1 }
    guard numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
    return mouse(code: numbers[0], column: numbers[1], row: numbers[2], isRelease: isRelease)
  }

  /// Parses an X10 mouse report of three characters.
  static func mouse(bytes: [UInt32]) -> MouseEvent? {
    let numbers = bytes.map { Int($0) - 32 }
    guard numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
    let isRelease = numbers[0] & 0x43 == 3
    let code = isRelease ? numbers[0] & ~3 : numbers[0]
    return mouse(code: code, column: numbers[1], row: numbers[2], isRelease: isRelease)
  }

  private static func mouse(code: Int, column: Int, row: Int, isRelease: Bool) -> MouseEvent? {
    var modifiers: Modifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    let buttons: [MouseEvent.Button] = [.left, .middle, .right]
    let number = code & 3
    let action: MouseEvent.Action
    switch code & ~0x1F {
    case 0 where buttons.indices.contains(number):
      action = isRelease ? .release(buttons[number]) : .press(buttons[number])
    case 32 where buttons.indices.contains(number):
      action = isRelease ? .release(buttons[number]) : .drag(buttons[number])
    case 64 where number < 2:
      action = number == 0 ? .wheelUp : .wheelDown
    default: return nil
    }
    let position = Point(x: max(0, column - 1), y: max(0, row - 1))
    return MouseEvent(action, at: position, modifiers: modifiers)
  }

  /// Returns the key of a character from its number.
  private static func characterKey(_ number: Int?, _ modifiers: Modifiers) -> TerminalKey? {
    guard let number, let value = UInt32(exactly: number), let scalar = Unicode.Scalar(value) else {
      return nil
    }
    return TerminalKey(.character(Character(scalar)), modifiers: modifiers)
  }

  /// The keys by final letter.
  private static let letters: [Unicode.Scalar: TerminalKey.Code] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end,
    "P": .function(1), "Q": .function(2), "R": .function(3), "S": .function(4),
  ]

  /// Returns the key of `ESC [ number ~`.
  private static func code(ofNumber number: Int) -> TerminalKey.Code? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23, 24: .function(number - 12)
    default: nil
    }
  }
}
