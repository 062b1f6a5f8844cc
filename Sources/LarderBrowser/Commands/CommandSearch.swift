import LarderModel

/// The commands that a text may mean.
struct CommandSearch {
  /// The text, in lower case and with `-` for blanks, as in names.
  private let word: String
  /// The text as it was typed.
  private let typed: String
  private let bindings: Bindings

  init(_ text: String, _ bindings: Bindings) {
    typed = text
    word = text.lowercased().split(separator: " ").joined(separator: "-")
    self.bindings = bindings
  }

  /// How well a command matches, the lowest first.
  private enum Rank: Int {
    case name, letterKey, alias, beginning, wordBeginning, aliasBeginning, part, key, letters, help
  }

  /// The commands of the palette that match, best first; of two that match alike, the shorter name.
  func suggestions(recent: [String] = []) -> [Suggestion] {
    let listed = Command.all.filter(\.isListed)
    guard !word.isEmpty else {
      let first = recent.compactMap { id in listed.first { $0.id == id } }
      return (first + listed.filter { !recent.contains($0.id) }).map(suggestion)
    }
    return Suggestion.ranked(listed) { command in
      rank(of: command).map { $0.rawValue * 100 + command.id.count }
    }.map(suggestion)
  }

  private func rank(of command: Command) -> Rank? {
    let keys = bindings.keys(of: command)
    if command.id == word { return .name }
    if typed.count == 1, keys.contains(typed) { return .letterKey }
    if command.aliases.contains(word) { return .alias }
    if command.id.hasPrefix(word) { return .beginning }
    if command.id.contains("-" + word) { return .wordBeginning }
    if alias(of: command) != nil { return .aliasBeginning }
    if command.id.contains(word) { return .part }
    if keys.contains(where: { $0.lowercased() == word }) { return .key }
    // Two letters are in order in most names.
    guard word.count > 2 else { return nil }
    if command.id.offsets(ofLettersOf: word) != nil { return .letters }
    return wordOffsets(in: command.help) == nil ? nil : .help
  }

  /// The alias that begins with the text; nil where none does.
  private func alias(of command: Command) -> String? {
    command.aliases.first { $0.hasPrefix(word) }
  }

  /// Where a word of a sentence begins with the text; nil where none does.
  private func wordOffsets(in help: String) -> [Int]? {
    let text = " " + help
    return text.offsets(of: " " + typed)?.dropLast().map { $0 }
  }

  private func suggestion(_ command: Command) -> Suggestion {
    var suggestion = Suggestion(
      name: command.id, argument: command.argument, note: command.help,
      keys: bindings.text(of: command))
    guard !word.isEmpty else { return suggestion }
    let offsets = command.id.offsets(of: word)
    if offsets == nil, let alias = alias(of: command) {
      let start = command.help.count + 2
      suggestion.note += " (\(alias))"
      suggestion.noteMatches = Array(start..<(start + word.count))
    } else if let offsets = offsets ?? command.id.offsets(ofLettersOf: word) {
      suggestion.nameMatches = offsets
    } else {
      suggestion.noteMatches = wordOffsets(in: command.help) ?? []
    }
    return suggestion
  }
}
