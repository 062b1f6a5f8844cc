import LarderModel

/// Something that a line which is typed may mean, for a list above it.
package struct Suggestion: Sendable, Equatable {
  /// What takes the place of the typed word.
  package let name: String
  /// What may follow the name.
  package let argument: String?
  /// What else to say of it: keys, and what it is.
  package let note: String

  /// The name and what may follow it.
  package var title: String { name + (argument.map { " \($0)" } ?? "") }
}

extension Suggestion {
  /// A name of which nothing else is to be said.
  init(_ name: String, note: String = "") {
    self.init(name: name, argument: nil, note: note)
  }

  /// The commands that a word may mean, best first.
  ///
  /// Those whose names begin with the word come first, then those that hold it, those that the word
  /// is a key of, those that have its letters in this order, and those whose help has a word that
  /// begins so.
  static func commands(matching word: String, _ bindings: Bindings) -> [Suggestion] {
    let word = word.lowercased()
    return ranked(Command.all.filter(\.isInPalette)) { rank(of: word, in: $0, bindings) }
      .map { command in
        let names = bindings.text(of: command)
        let keys = names.isEmpty ? "" : names + "  "
        return Suggestion(
          name: command.id, argument: command.argument, note: keys + command.help)
      }
  }

  /// The names that a word may mean, best first.
  ///
  /// Letters in either case match; the name as it was typed comes before all others.
  static func names(_ names: [String], matching word: String) -> [Suggestion] {
    let lowercased = word.lowercased()
    return ranked(names) { name in
      if name.hasBytes(of: word) { return 0 }
      let lower = name.lowercased()
      if lower.hasPrefix(lowercased) { return name.hasPrefix(word) ? 1 : 2 }
      if lower.contains(lowercased) { return 3 }
      return lower.places(ofLettersOf: lowercased, ignoresCase: false) != nil ? 4 : nil
    }.map { Suggestion(name: $0, argument: nil, note: "") }
  }

  private static func rank(
    of word: String, in command: Command, _ bindings: Bindings
  ) -> Int? {
    if command.id.hasPrefix(word) { return 0 }
    let title = command.title.lowercased()
    if command.id.contains(word) || title.contains(word) { return 1 }
    if bindings.keys(of: command).contains(where: { $0.lowercased() == word }) { return 2 }
    // Two letters are in order in most titles, and three in most sentences.
    if word.count > 2, title.places(ofLettersOf: word, ignoresCase: false) != nil { return 3 }
    guard word.count > 3 else { return nil }
    return command.help.lowercased().split(separator: " ").contains { $0.hasPrefix(word) } ? 4 : nil
  }

  /// What has a rank, the lowest first; those of one rank stay in order.
  private static func ranked<Element>(
    _ elements: [Element], _ rank: (Element) -> Int?
  ) -> [Element] {
    elements.enumerated()
      .compactMap { place, element in rank(element).map { ($0, place, element) } }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      .map(\.2)
  }
}
