import LarderModel

/// A suggestion for a typed word.
package struct Suggestion: Sendable, Equatable {
  /// The name that replaces the typed word.
  package let name: String
  /// The argument that may follow the name.
  package var argument: String?
  /// A description of the suggestion.
  package var note = ""
  /// The key bindings of a suggested command.
  package var keys = ""
  /// The offsets of the characters of the name that match the typed word.
  package var nameMatches: [Int] = []
  /// The offsets of the characters of the note that match the typed word.
  package var noteMatches: [Int] = []

  /// The name and its argument, if any.
  package var title: String { name + (argument.map { " \($0)" } ?? "") }
}

extension Suggestion {
  /// Creates a suggestion from a name.
  init(_ name: String, note: String = "") {
    self.init(name: name, argument: nil, note: note)
  }

  /// Returns the names that match a word, best first.
  ///
  /// Matching ignores case, and an exact match comes first.
  static func names(_ names: [String], matching word: String) -> [Suggestion] {
    let lowercased = word.lowercased()
    return ranked(names) { name in
      if name.hasBytes(of: word) { return 0 }
      let lower = name.lowercased()
      if lower.hasPrefix(lowercased) { return name.hasPrefix(word) ? 1 : 2 }
      if lower.contains(lowercased) { return 3 }
      return lower.places(ofLettersOf: lowercased, ignoresCase: false) != nil ? 4 : nil
    }.map { name in
      var suggestion = Suggestion(name)
      suggestion.nameMatches = name.offsets(of: word) ?? name.offsets(ofLettersOf: word) ?? []
      return suggestion
    }
  }

  /// Returns the elements that have a rank, in a stable order from the lowest to the highest.
  static func ranked<Element, Rank: Comparable>(
    _ elements: [Element], _ rank: (Element) -> Rank?
  ) -> [Element] {
    elements.enumerated()
      .compactMap { place, element in rank(element).map { ($0, place, element) } }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      .map(\.2)
  }
}
