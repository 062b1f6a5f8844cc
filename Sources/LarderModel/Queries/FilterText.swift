/// A filter as a user types it.
///
/// Words with spaces between them are conditions that must all hold; a backslash makes the next
/// character, such as a space, an ordinary one. Of a word, `'a` is an exact text, `^a` a beginning,
/// `a$` an end, `~a` letters in this order, `/a/` a regular expression, and `!` before any of them
/// turns it round. Text that begins with a slash that no other ends, or with two, looks in values.
/// Of rows, `total>100` is a condition on a column; see ``ColumnCondition``.
package struct FilterText: Sendable, Equatable {
  /// The text.
  package let text: String
  /// The columns that conditions can be on.
  private let columns: [String]

  package init(_ text: String, columns: [String] = []) {
    self.text = text
    self.columns = columns
  }

  /// The text with a condition more.
  package func adding(_ condition: ColumnCondition) -> FilterText {
    if filter?.columns.contains(condition) == true { return self }
    // What looks in values says so at its beginning.
    let before = text.isEmpty ? "" : text + " "
    return FilterText(before + Self.escaped(condition.word), columns: columns)
  }

  /// A text to which only what a column contains has to be added.
  package static func begun(_ column: String) -> String {
    escaped(column + ColumnCondition.Comparison.contains.rawValue)
  }

  private static func escaped(_ word: String) -> String {
    let escaped = word.replacing("\\", with: "\\\\").replacing(" ", with: "\\ ")
    // A word that begins with a mark would be taken for one.
    return escaped.first.map { "!'^~/".contains($0) } == true ? "\\" + escaped : escaped
  }

  /// What the text asks for, or nil where it asks for nothing.
  package var filter: EntryFilter? {
    let (rest, field) = scope
    var filter = EntryFilter([], in: field)
    for word in Self.words(rest) {
      if let condition = word.condition(on: columns) {
        if let condition { filter.columns.append(condition) }
      } else if let term = word.term {
        filter.terms.append(term)
      }
    }
    return filter.terms.isEmpty && filter.columns.isEmpty ? nil : filter
  }

  /// Where the text looks, and what is left of it.
  private var scope: (rest: Substring, field: EntryFilter.Field) {
    guard text.hasPrefix("/") else { return (text[...], .keys) }
    let isExpression = Self.words(text[...]).first?.isExpression == true
    return isExpression && !text.hasPrefix("//") ? (text[...], .keys) : (text.dropFirst(), .values)
  }

  /// The words of a text.
  private static func words(_ text: Substring) -> [Word] {
    var words: [Word] = []
    var rest = text
    // Where no slash ends the first expression, none ends a later one: it is looked for once.
    var mayHoldExpression = true
    while let start = rest.firstIndex(where: { $0 != " " }) {
      words.append(Word(from: &rest, start, &mayHoldExpression))
    }
    return words
  }

  /// One word: its marks, and what they are about.
  private struct Word {
    private(set) var isExpression = false
    private var isNegated = false
    private var mark: Character?
    private var isEnd = false
    private var text = ""

    /// Takes a word out of a text.
    init(
      from rest: inout Substring, _ start: Substring.Index, _ mayHoldExpression: inout Bool
    ) {
      rest = rest[start...]
      if rest.first == "!" {
        isNegated = true
        rest.removeFirst()
      }
      if mayHoldExpression, rest.first == "/" {
        if let end = Self.endOfExpression(rest) {
          isExpression = true
          text = String(rest[rest.index(after: rest.startIndex)..<end])
          rest = rest[rest.index(after: end)...]
          return
        }
        mayHoldExpression = false
      }
      if let first = rest.first, "'^~".contains(first) {
        mark = first
        rest.removeFirst()
      }
      while let character = rest.popFirst(), character != " " {
        isEnd = character == "$"
        if character == "\\", let escaped = rest.popFirst() {
          text.append(escaped)
        } else {
          text.append(character)
        }
      }
    }

    /// Where the slash is that ends a regular expression: the last of its word.
    ///
    /// An expression may hold spaces, so that a slash ends it only if a space follows, or nothing.
    private static func endOfExpression(_ text: Substring) -> Substring.Index? {
      let first = text.index(after: text.startIndex)
      var place = first
      while place < text.endIndex {
        let next = text.index(after: place)
        if text[place] == "\\", next < text.endIndex {
          place = text.index(after: next)
          continue
        }
        if text[place] == "/", place > first, next == text.endIndex || text[next] == " " {
          return place
        }
        place = next
      }
      return nil
    }

    /// The condition on a column that it is, as ``ColumnCondition`` reads it.
    func condition(on columns: [String]) -> ColumnCondition?? {
      isNegated || isExpression || mark != nil
        ? nil : ColumnCondition.reading(text, columns: columns)
    }

    /// The condition, or nil where nothing but marks has been typed yet.
    var term: EntryFilter.Term? {
      guard let pattern else { return nil }
      return pattern.text.isEmpty ? nil : .init(pattern, isNegated: isNegated)
    }

    private var pattern: EntryFilter.Pattern? {
      if isExpression { return .regex(text) }
      switch mark {
      case "'": return .exact(text)
      case "~": return .fuzzy(text)
      case "^": return isEnd ? .whole(String(text.dropLast())) : .prefix(text)
      default: return isEnd ? .suffix(String(text.dropLast())) : .text(text)
      }
    }
  }
}

// MARK: In words

extension FilterText {
  /// What is looked for, or how to say what to look for.
  package var spoken: String {
    let rows = columns.isEmpty ? "" : "  COLUMN:text  COLUMN>1"
    return filter?.spoken
      ?? "text\(rows)  'Exact  ^start  end$  ~letters  !not  /regex/ – all must match; / first: in values"
  }
}

extension EntryFilter {
  /// What keys begin with that the filter was most likely made to find.
  package var offeredPrefix: String? {
    guard field == .keys, terms.count == 1, let term = terms.first, !term.isNegated else {
      return nil
    }
    switch term.pattern {
    case .text(let text), .exact(let text), .prefix(let text): return text
    case .suffix, .whole, .fuzzy, .regex: return nil
    }
  }

  fileprivate var spoken: String {
    let conditions = terms.map(\.spoken).joined(separator: ", ")
    let texts = terms.isEmpty ? [] : [(field == .keys ? "keys that " : "values that ") + conditions]
    return (texts + columns.map(\.spoken)).joined(separator: ", ")
  }
}

extension EntryFilter.Term {
  fileprivate var spoken: String {
    let text = "“\(pattern.text)”"
    return switch (pattern, isNegated) {
    case (.text, false): "hold \(text)"
    case (.text, true): "do not hold \(text)"
    case (.exact, false): "hold exactly \(text)"
    case (.exact, true): "do not hold exactly \(text)"
    case (.prefix, false): "begin with \(text)"
    case (.prefix, true): "do not begin with \(text)"
    case (.suffix, false): "end with \(text)"
    case (.suffix, true): "do not end with \(text)"
    case (.whole, false): "are \(text)"
    case (.whole, true): "are not \(text)"
    case (.fuzzy, false): "have the letters \(text) in this order"
    case (.fuzzy, true): "do not have the letters \(text) in this order"
    case (.regex, false): "match the expression \(text)"
    case (.regex, true): "do not match the expression \(text)"
    }
  }
}
