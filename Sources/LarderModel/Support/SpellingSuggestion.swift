/// Suggests the intended word for a mistyped one.
package enum SpellingSuggestion {
  /// Returns the word with the most similar spelling, or nil if none is similar enough.
  package static func word(to typed: String, in words: [String]) -> String? {
    let scored = words.map { ($0, distance($0, typed)) }.min { $0.1 < $1.1 }
    guard let (word, distance) = scored, distance <= max(1, typed.count / 3) else { return nil }
    return word
  }

  /// Returns a "Did you mean" question to follow a sentence that lists the words.
  ///
  /// It is empty if there is no suggestion.
  package static func question(for typed: String, in words: [String]) -> String {
    word(to: typed, in: words).map { Messages.question($0) } ?? ""
  }

  /// Returns a "did you mean" question as a clause, or the given advice if there is no suggestion.
  package static func advice(for typed: String, in words: [String], otherwise: String) -> String {
    word(to: typed, in: words).map { Messages.didYouMean($0) } ?? otherwise
  }

  /// Returns the edit distance, in which swapping two adjacent letters counts as one edit.
  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var rows = [Array(0...right.count)]
    for (line, letter) in left.enumerated() {
      var row = [line + 1]
      for (column, other) in right.enumerated() {
        var least = min(rows[line][column] + (letter == other ? 0 : 1), row[column] + 1)
        least = min(least, rows[line][column + 1] + 1)
        if line > 0, column > 0, letter == right[column - 1], left[line - 1] == other {
          least = min(least, rows[line - 1][column - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
