import Foundation

/// A filter for entries, which matches if all terms and all column conditions are met.
public struct EntryFilter: Sendable, Hashable {
  /// A pattern to search for.
  ///
  /// Except for `exact` and `regex`, case is ignored unless the text contains a capital letter and is
  /// not a UUID.
  public enum Pattern: Sendable {
    /// The text occurs anywhere.
    case text(String)
    /// The text occurs anywhere, with matching case.
    case exact(String)
    /// The text is a prefix.
    case prefix(String)
    /// The text is a suffix.
    case suffix(String)
    /// The text matches completely.
    case whole(String)
    /// The characters of the text occur in this order, possibly with others in between.
    case fuzzy(String)
    /// The regular expression matches anywhere.
    case regex(String)
  }

  /// Whether case matters in a text to search for: capitals mean that it does, except in a UUID.
  package static func isCaseSensitive(_ text: String) -> Bool {
    text.unicodeScalars.contains(where: \.properties.isUppercase) && UUID(uuidString: text) == nil
  }

  /// A single condition.
  public struct Term: Sendable, Hashable {
    /// The pattern.
    public var pattern: Pattern
    /// Whether the pattern must not match.
    public var isNegated: Bool

    /// Creates a condition.
    public init(_ pattern: Pattern, isNegated: Bool = false) {
      self.pattern = pattern
      self.isNegated = isNegated
    }
  }

  /// The part of an entry that is searched.
  public enum Field: Sendable, Hashable {
    /// The text of the key.
    case keys
    /// The text of the value.
    case values
  }

  /// The terms, which must all be met; without any, all entries match.
  public var terms: [Term]
  /// The part of each entry to search.
  public var field: Field
  /// The column conditions, for stores with ``StoreCapabilities/columns``.
  public var columns: [ColumnCondition]

  /// Creates a filter with several terms.
  public init(_ terms: [Term], in field: Field = .keys, columns: [ColumnCondition] = []) {
    self.terms = terms
    self.field = field
    self.columns = columns
  }

  /// Creates a filter with a single term.
  public init(_ pattern: Pattern, in field: Field = .keys) {
    self.init([Term(pattern)], in: field)
  }
}

extension EntryFilter {
  /// Whether the filter needs the values of entries.
  package var readsValues: Bool { field == .values || !columns.isEmpty }

  /// The texts of fuzzy terms in order, by which keys can be ranked.
  package var letters: [String] {
    guard field == .keys else { return [] }
    return terms.compactMap { term in
      guard !term.isNegated, case .fuzzy(let text) = term.pattern else { return nil }
      return text
    }
  }

  /// Returns the filter for keys that are shown without a prefix, so that "starts with" applies to
  /// the rest of the key.
  package func below(_ scope: String) -> EntryFilter {
    guard !scope.isEmpty, field == .keys else { return self }
    var filter = self
    for place in filter.terms.indices {
      switch filter.terms[place].pattern {
      case .prefix(let text): filter.terms[place].pattern = .prefix(scope + text)
      case .whole(let text): filter.terms[place].pattern = .whole(scope + text)
      case .text, .exact, .suffix, .fuzzy, .regex: break
      }
    }
    return filter
  }
}

extension EntryFilter.Pattern: Hashable {
  /// The text of the pattern.
  public var text: String {
    switch self {
    case .text(let text), .exact(let text), .prefix(let text), .suffix(let text),
      .whole(let text), .fuzzy(let text), .regex(let text):
      text
    }
  }

  private var number: Int {
    switch self {
    case .text: 0
    case .exact: 1
    case .prefix: 2
    case .suffix: 3
    case .whole: 4
    case .fuzzy: 5
    case .regex: 6
    }
  }

  /// Whether both patterns search for the same bytes in the same way.
  public static func == (left: Self, right: Self) -> Bool {
    left.number == right.number && left.text.hasBytes(of: right.text)
  }

  /// Feeds the kind and the bytes of the pattern to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(Array(text.utf8))
  }
}

extension EntryFilter.Pattern {
  /// Creates a pattern from a typed phrase, which is exact text if it is in quotation marks.
  package init(phrase text: String) {
    let isQuoted = text.utf8.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
    self = isQuoted ? .exact(String(text.dropFirst().dropLast())) : .text(text)
  }

  /// The phrase for a pattern of exact or other text.
  package var phrase: String { if case .exact(let text) = self { "\"\(text)\"" } else { text } }
}
