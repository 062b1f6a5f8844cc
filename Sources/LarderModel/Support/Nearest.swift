/// The word that a mistyped one was probably meant to be.
package enum Nearest {
  /// The word that is spelled most alike; nil where none is near enough to have been meant.
  package static func word(to typed: String, in words: [String]) -> String? {
    let scored = words.map { ($0, distance($0, typed)) }.min { $0.1 < $1.1 }
    guard let (word, distance) = scored, distance <= max(1, typed.count / 3) else { return nil }
    return word
  }

  /// A question that names it, to be put behind a sentence that lists the words; nothing where there
  /// is none.
  package static func question(for typed: String, in words: [String]) -> String {
    word(to: typed, in: words).map { ". Did you mean \($0)?" } ?? ""
  }

  /// A question that names it, or what to do where there is none, as a clause.
  package static func advice(for typed: String, in words: [String], otherwise: String) -> String {
    word(to: typed, in: words).map { "did you mean \($0)?" } ?? otherwise
  }

  /// How many letters have to be changed, added, left out or exchanged with their neighbour.
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
