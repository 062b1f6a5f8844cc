/// Which entries of a store to list: those for which every term and every condition on a column holds.
public struct EntryFilter: Sendable, Hashable {
  /// How a text is looked for.
  ///
  /// Of all but `exact` and `regex`, letters of either case match unless the text holds a capital.
  public enum Pattern: Sendable {
    /// The text occurs.
    case text(String)
    /// The text occurs with the very same letters.
    case exact(String)
    /// The text is the beginning.
    case prefix(String)
    /// The text is the end.
    case suffix(String)
    /// The text is all there is.
    case whole(String)
    /// The characters of the text occur in this order, with others between them.
    case fuzzy(String)
    /// The regular expression matches somewhere.
    case regex(String)
  }

  /// One condition.
  public struct Term: Sendable, Hashable {
    /// What to look for.
    public var pattern: Pattern
    /// Whether it must not be found.
    public var isNegated: Bool

    /// Creates a condition.
    public init(_ pattern: Pattern, isNegated: Bool = false) {
      self.pattern = pattern
      self.isNegated = isNegated
    }
  }

  /// Where the patterns are looked for.
  public enum Field: Sendable, Hashable {
    /// In the text of the key.
    case keys
    /// In the text of the value.
    case values
  }

  /// The conditions, all of which must hold; any entry is listed where there are none.
  public var terms: [Term]
  /// Where to look.
  public var field: Field
  /// Conditions on columns, of meaning where the store can do ``StoreCapabilities/columns``.
  public var columns: [ColumnCondition]

  /// Creates a filter of several conditions.
  public init(_ terms: [Term], in field: Field = .keys, columns: [ColumnCondition] = []) {
    self.terms = terms
    self.field = field
    self.columns = columns
  }

  /// Creates a filter of one condition.
  public init(_ pattern: Pattern, in field: Field = .keys) {
    self.init([Term(pattern)], in: field)
  }
}

extension EntryFilter {
  /// Whether the values of entries have to be read to tell.
  package var readsValues: Bool { field == .values || !columns.isEmpty }

  /// The texts whose letters are looked for in keys, in their order: keys can match them better or
  /// worse.
  package var letters: [String] {
    guard field == .keys else { return [] }
    return terms.compactMap { term in
      guard !term.isNegated, case .fuzzy(let text) = term.pattern else { return nil }
      return text
    }
  }

  /// The filter for keys that are shown without what they begin with: their beginning is what
  /// follows it.
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
  /// The text, whatever is done with it.
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

  /// Whether both look for the same bytes in the same way.
  public static func == (left: Self, right: Self) -> Bool {
    left.number == right.number && left.text.hasBytes(of: right.text)
  }

  /// Feeds the bytes that are looked for, and the way, to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(Array(text.utf8))
  }
}
