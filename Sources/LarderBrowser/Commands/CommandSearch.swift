import LarderModel

/// A search for commands.
struct CommandSearch {
  /// The search text in lower case, with `-` instead of spaces as in command names.
  private let word: String
  /// The search text as typed.
  private let typed: String
  private let bindings: Bindings
  /// The names of the commands that come after equally good matches.
  private let unavailable: Set<String>

  init(_ text: String, _ bindings: Bindings, unavailable: Set<String> = []) {
    self.unavailable = unavailable
    typed = text
    word = text.lowercased().split(separator: " ").joined(separator: "-")
    self.bindings = bindings
  }

  /// The kinds of match, from best to worst.
  private enum Rank: Int {
    case name, letterKey, alias, beginning, wordBeginning, aliasBeginning, part, key, letters, help
  }

  /// Returns the matching commands of the palette, best first; of names that begin with the text,
  /// available ones come first, and of equal matches shorter ones.
  func suggestions(recent: [String] = []) -> [Suggestion] {
    let listed = Command.listed
    guard !word.isEmpty else {
      let first = recent.compactMap { id in listed.first { $0.id == id } }
      return (first + listed.filter { !recent.contains($0.id) }).map(suggestion)
    }
    return Suggestion.ranked(listed) { command in
      rank(of: command).map { rank in
        let isLater = rank == .beginning && unavailable.contains(command.id)
        return rank.rawValue * 100 + (isLater ? 50 : 0) + command.id.count
      }
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
    // Two letters appear in order in most names.
    guard word.count > 2 else { return nil }
    if command.id.offsets(ofLettersOf: word) != nil { return .letters }
    return wordOffsets(in: command.help) == nil ? nil : .help
  }

  /// Returns the alias that has the text as a prefix, or `nil` if there is none.
  private func alias(of command: Command) -> String? {
    command.aliases.first { $0.hasPrefix(word) }
  }

  /// Returns the character offsets of a match at the start of a word, or `nil` if there is none.
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
