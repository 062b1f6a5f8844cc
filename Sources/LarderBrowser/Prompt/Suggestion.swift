import LarderModel

/// Something that a line which is typed may mean, for a list of them.
package struct Suggestion: Sendable, Equatable {
  /// What takes the place of the typed word.
  package let name: String
  /// What may follow the name.
  package var argument: String?
  /// What it does or is.
  package var note = ""
  /// The keys that do the same.
  package var keys = ""
  /// The characters of the name that match what was typed, by their offsets.
  package var nameMatches: [Int] = []
  /// The characters of the note that match what was typed, by their offsets.
  package var noteMatches: [Int] = []

  /// The name and what may follow it.
  package var title: String { name + (argument.map { " \($0)" } ?? "") }
}

extension Suggestion {
  /// A name of which nothing else is to be said.
  init(_ name: String, note: String = "") {
    self.init(name: name, argument: nil, note: note)
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
    }.map { name in
      var suggestion = Suggestion(name)
      suggestion.nameMatches = name.offsets(of: word) ?? name.offsets(ofLettersOf: word) ?? []
      return suggestion
    }
  }

  /// What has a rank, the lowest first; those of one rank stay in order.
  static func ranked<Element, Rank: Comparable>(
    _ elements: [Element], _ rank: (Element) -> Rank?
  ) -> [Element] {
    elements.enumerated()
      .compactMap { place, element in rank(element).map { ($0, place, element) } }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      .map(\.2)
  }
}
