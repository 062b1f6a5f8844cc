/// What is wrong with a key script, and where.
public struct KeyScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The place of the faulty character, counted in characters from 1.
  public let position: Int
  /// What is wrong, as part of a sentence.
  public let message: String

  /// The place and what is wrong with it.
  public var description: String { "character \(position): \(message)" }
}

/// Reads and writes several keys as one text: `/foo<Enter><Down>`.
///
/// Characters stand for themselves; other keys are in angle brackets, with the names that
/// ``Key/init(_:)`` knows, and `<lt>` is a `<`. A line end is Enter.
public enum KeyScript {
  /// Reads a script.
  ///
  /// - Throws: ``KeyScriptError`` for an unknown name or a bracket that is not closed.
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
          message: "\"<\" begins a key's name, but \">\" is missing; write "
            + "\"<lt>\" for the character itself")
      }
      let name = String(characters[(index + 1)..<close])
      guard let key = Key(name) else {
        throw KeyScriptError(
          position: index + 1,
          message: "there is no key called \"\(Sanitizer.display(name))\"")
      }
      keys.append(key)
      index = close + 1
    }
    return keys
  }

  /// Writes keys so that ``parse(_:)`` reads them back.
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
