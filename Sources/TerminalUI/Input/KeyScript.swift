/// A syntax error in a key script.
public struct KeyScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The position of the faulty character, counted from 1.
  public let position: Int
  /// The problem, as part of a sentence.
  public let message: String

  /// The position and the problem.
  public var description: String { "character \(position): \(message)" }
}

/// Conversion between keys and key scripts such as `/foo<Enter><Down>`.
///
/// Characters represent themselves; other keys are in angle brackets, with the names that
/// ``Key/init(_:)`` accepts, and `<lt>` is a `<`. A line end is Enter.
public enum KeyScript {
  /// Parses a script.
  ///
  /// - Throws: ``KeyScriptError`` for an unknown name or a missing closing bracket.
  public static func parse(_ script: String) throws(KeyScriptError) -> [Key] {
    var keys: [Key] = []
    let characters = Array(script)
    var index = 0
    while index < characters.count {
      guard characters[index] == "<" else {
        keys.append(Key(.character(characters[index])))
        index += 1
        continue
      }
      guard let close = characters[(index + 1)...].firstIndex(of: ">") else {
        throw KeyScriptError(
          position: index + 1,
          message: Messages.openKey)
      }
      let name = String(characters[(index + 1)..<close])
      guard let key = Key(name) else {
        throw KeyScriptError(
          position: index + 1,
          message: Messages.noKey(name))
      }
      keys.append(key)
      index = close + 1
    }
    return keys
  }

  /// Returns keys as a script that ``parse(_:)`` accepts.
  public static func text(of keys: [Key]) -> String {
    keys.map { key in
      switch key.code {
      case .character("<") where key.modifiers.isEmpty: "<lt>"
      case .character(">") where !key.modifiers.isEmpty:
        "<\(key.description.dropLast())gt>"
      case .character(let character) where key.modifiers.isEmpty: String(character)
      default: "<\(key)>"
      }
    }.joined()
  }
}
