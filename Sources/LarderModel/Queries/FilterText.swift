/// The text of a filter as entered by the user.
///
/// Words separated by spaces are conditions that must all hold; a backslash makes the next
/// character, such as a space, literal. In a word, `'a` or `"a b"` is an exact text, `^a` a prefix,
/// `a$` a suffix, `~a` a fuzzy match, `/a/` a regular expression, and `!` before any of them negates
/// it.
/// Text that begins with two slashes, or with one that does not start a regular expression,
/// searches values. In rows, `total>100`, `!status:paid` and `name="a b"` are conditions on columns;
/// see ``ColumnCondition``.
package struct FilterText: Sendable, Equatable {
  /// The text.
  package let text: String
  /// The columns that can have conditions.
  package let columns: [String]
  /// The columns that can only be compared, because keys may begin with their names and a colon.
  let comparedColumns: [String]

  package init(_ text: String, columns: [String] = [], comparedColumns: [String] = []) {
    self.text = text
    self.columns = columns
    self.comparedColumns = comparedColumns
  }

  /// Creates a filter for the entries of a store, which can use all columns, or only compare those
  /// beside the value if each row is one value.
  package init(
    _ text: String, keyColumns: [TypedKeyColumn], columns: [String], valueField: String?
  ) {
    if let valueField {
      self.init(text, comparedColumns: columns.filter { !$0.hasBytes(of: valueField) })
    } else {
      self.init(text, columns: columns.isEmpty ? [] : keyColumns.map(\.name) + columns)
    }
  }

  /// Returns the text with another condition appended.
  package func adding(_ condition: ColumnCondition) -> FilterText {
    if filter?.columns.contains(condition) == true { return self }
    // The condition is appended because a leading slash selects a search in values.
    let before = text.isEmpty ? "" : text + " "
    let operand = condition.operand
    // The first character must not be read as part of the comparison or as a quotation mark.
    let needsMarks = operand.contains(" ") || operand.first.map { "=<>'".contains($0) } == true
    let isQuoted = operand.isEmpty || needsMarks && !operand.contains("\"")
    let word =
      Self.begun(condition.column, condition.comparison)
      + (isQuoted ? "\"\(operand)\"" : Self.escaped(operand))
    return FilterText(before + word, columns: columns, comparedColumns: comparedColumns)
  }

  /// Returns a text that needs only the operand of a condition on a column.
  package static func begun(
    _ column: String, _ comparison: ColumnCondition.Comparison = .contains
  ) -> String {
    escaped(column + comparison.rawValue)
  }

  /// Returns a text that searches the values for a phrase.
  package static func inValues(_ phrase: String) -> String {
    let word = escaped(phrase)
    // An unescaped slash at the end would make it an expression.
    return "/" + (phrase.count > 1 && word.hasSuffix("/") ? word.dropLast() + "\\/" : word)
  }

  private static func escaped(_ word: String) -> String {
    let escaped = word.replacing("\\", with: "\\\\").replacing(" ", with: "\\ ")
    // A word that begins with a marker character needs an escape.
    return escaped.first.map { "!'^~/\"".contains($0) } == true ? "\\" + escaped : escaped
  }

  /// The filter, or nil if the text has no complete condition.
  package var filter: EntryFilter? {
    let (rest, field) = scope
    var filter = EntryFilter([], in: field)
    for word in words(rest) {
      if let condition = word.condition(on: columns, orCompared: comparedColumns) {
        if let condition { filter.columns.append(condition) }
      } else if let term = word.term {
        filter.terms.append(term)
      }
    }
    return filter.terms.isEmpty && filter.columns.isEmpty ? nil : filter
  }

  /// The name of the first column that is compared but does not exist, so that the comparison is
  /// searched for as text; before a colon, only a name that resembles one of a column.
  package var unknownColumn: String? {
    let (rest, field) = scope
    guard !columns.isEmpty, field == .keys else { return nil }
    let words = words(rest).filter { $0.condition(on: columns, orCompared: comparedColumns) == nil }
    return words.lazy.compactMap { $0.comparedName(besides: columns) }.first
      ?? zip(words, words.dropFirst()).lazy.compactMap { $0.comparedName(before: $1) }.first
  }

  /// The field to search, and the text without the marker for it.
  private var scope: (rest: Substring, field: EntryFilter.Field) {
    guard text.hasPrefix("/") else { return (text[...], .keys) }
    let isExpression = words(text[...]).first?.isExpression == true
    return isExpression && !text.hasPrefix("//") ? (text[...], .keys) : (text.dropFirst(), .values)
  }

  /// Splits a text into words.
  private func words(_ text: Substring) -> [Word] {
    var words: [Word] = []
    var rest = text
    var marks = OpenMarks()
    while let start = rest.firstIndex(where: { $0 != " " }) {
      words.append(
        Word(
          from: &rest, start, &marks, awaitsOperand: awaitsOperand, awaits: awaits))
    }
    return words
  }

  /// Whether a word is a comparison with a column that only lacks its operand.
  private func awaitsOperand(_ word: String) -> Bool {
    ColumnCondition.reading(word, columns: columns) == .some(nil)
      || !word.hasSuffix(":")
        && ColumnCondition.reading(word, columns: comparedColumns) == .some(nil)
  }

  /// Whether a word is a column that can have a comparison after a space.
  private func awaits(_ comparison: ColumnCondition.Comparison, _ word: String) -> Bool {
    let isSearch = [.contains, .lacks].contains(comparison)
    return (columns + (isSearch ? [] : comparedColumns)).contains {
      $0.lowercased() == word.lowercased()
    }
  }

  /// The marks that may still have a closing one.
  ///
  /// If none closes the first, none closes a later one, so the search is done only once.
  private struct OpenMarks {
    var slash = true
    var quotes: [Character: Bool] = [:]
  }

  /// A word, split into its markers and its text.
  private struct Word {
    private(set) var isExpression = false
    private var isNegated = false
    private var mark: Character?
    private var isEnd = false
    private var text = ""
    /// The operand of a condition on a column, if it is in quotation marks.
    private var operand: String?

    /// Removes the first word from a text and parses it.
    init(
      from rest: inout Substring, _ start: Substring.Index, _ marks: inout OpenMarks,
      awaitsOperand: (String) -> Bool, awaits: (ColumnCondition.Comparison, String) -> Bool
    ) {
      rest = rest[start...]
      if rest.first == "!" {
        isNegated = true
        rest.removeFirst()
      }
      if marks.slash, rest.first == "/" {
        if let end = Self.endOfExpression(rest) {
          isExpression = true
          text = String(rest[rest.index(after: rest.startIndex)..<end])
          rest = rest[rest.index(after: end)...]
          return
        }
        marks.slash = false
      }
      if let quote = Self.quote("\"", from: &rest, &marks) {
        (mark, text) = ("'", quote)
        return
      }
      if let first = rest.first, "'^~".contains(first) {
        mark = first
        rest.removeFirst()
      }
      while let character = rest.first {
        if character == "\"" || character == "'", mark == nil, awaitsOperand(text),
          let quote = Self.quote(character, from: &rest, &marks)
        {
          operand = quote
          return
        }
        rest.removeFirst()
        if character == " " {
          // A comparison can have spaces around it.
          let next = rest.drop { $0 == " " }
          guard mark == nil, !next.isEmpty,
            awaitsOperand(text)
              || ColumnCondition.Comparison.reading(next).map({ awaits($0.0, text) }) == true
          else { return }
          rest = next
          continue
        }
        isEnd = character == "$"
        if character == "\\", let escaped = rest.popFirst() {
          text.append(escaped)
        } else {
          text.append(character)
        }
      }
    }

    /// Removes a text between two of the given quotation marks, if there is one next, and returns
    /// it without them.
    private static func quote(
      _ mark: Character, from rest: inout Substring, _ marks: inout OpenMarks
    ) -> String? {
      guard marks.quotes[mark] != false, rest.first == mark else { return nil }
      guard let end = endOfQuote(rest, mark) else {
        marks.quotes[mark] = rest.dropFirst().first == mark
        return nil
      }
      defer { rest = rest[rest.index(after: end)...] }
      return String(rest[rest.index(after: rest.startIndex)..<end])
    }

    /// Returns the index of the quotation mark that ends a quoted text, which is the first one before
    /// a space or at the end.
    private static func endOfQuote(_ text: Substring, _ mark: Character) -> Substring.Index? {
      let inside = text.dropFirst()
      let end = inside.indices.first { place in
        let next = inside.index(after: place)
        return inside[place] == mark && (next == inside.endIndex || inside[next] == " ")
      }
      return end == inside.startIndex ? nil : end
    }

    /// Returns the index of the slash that ends a regular expression.
    ///
    /// An expression can contain spaces, so a slash ends it only before a space or at the end of
    /// the text.
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

    /// Returns the condition on a column, as ``ColumnCondition`` parses it.
    func condition(on columns: [String], orCompared compared: [String]) -> ColumnCondition?? {
      guard !isExpression, mark == nil else { return nil }
      if let condition = ColumnCondition.reading(text, quoted: operand, columns: columns) {
        return .some(condition.map(negatedIfNeeded))
      }
      guard let condition = ColumnCondition.reading(text, quoted: operand, columns: compared)
      else { return nil }
      let isSearch =
        condition.map { [.contains, .lacks].contains($0.comparison) } ?? text.hasSuffix(":")
      return isSearch ? nil : .some(condition.map(negatedIfNeeded))
    }

    private func negatedIfNeeded(_ condition: ColumnCondition) -> ColumnCondition {
      var condition = condition
      if isNegated { condition.comparison = condition.comparison.negated }
      return condition
    }

    /// Returns the text before a comparison, if it could be the mistyped name of a column.
    func comparedName(besides columns: [String]) -> String? {
      guard !isExpression, mark == nil,
        let end = text.firstIndex(where: { "=<>!:".contains($0) }), end > text.startIndex,
        text[end] != "!" || text[end...].hasPrefix("!=")
      else { return nil }
      let name = String(text[..<end])
      guard name.allSatisfy(Self.isOfName) else { return nil }
      // A key can contain a colon.
      return text[end] == ":" && SpellingSuggestion.word(to: name, in: columns) == nil ? nil : name
    }

    /// Returns the text, if it could be the mistyped name of a column before a comparison.
    func comparedName(before next: Word) -> String? {
      guard !isExpression, mark == nil, !next.isExpression, next.mark == nil,
        let (comparison, _) = ColumnCondition.Comparison.reading(next.text[...]),
        ![.contains, .lacks].contains(comparison), text.allSatisfy(Self.isOfName)
      else { return nil }
      return text
    }

    private static func isOfName(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "_"
    }

    /// The term, or nil if there are only markers so far.
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

extension EntryFilter {
  /// The prefix of keys that the filter most likely searches for.
  package var suggestedPrefix: String? {
    guard field == .keys, terms.count == 1, let term = terms.first, !term.isNegated else {
      return nil
    }
    switch term.pattern {
    case .text(let text), .exact(let text), .prefix(let text): return text
    case .suffix, .whole, .fuzzy, .regex: return nil
    }
  }
}
