/// A condition on a column of a store's rows, such as `total>100`.
public struct ColumnCondition: Sendable, Hashable {
  /// The comparison of a column with the operand.
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    /// The column's text contains the operand, as in ``EntryFilter/Pattern/text(_:)``.
    case contains = ":"
    /// The column's text does not contain the operand, or there is none.
    case lacks = "!:"
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
  }

  /// The name of the column.
  public var column: String
  /// The comparison.
  public var comparison: Comparison
  /// The operand: a number if it can be parsed as one, and text otherwise.
  ///
  /// With ``Comparison/equal`` and ``Comparison/notEqual``, `null` means that there is no value.
  public var operand: String

  /// Creates a condition.
  public init(_ column: String, _ comparison: Comparison, _ operand: String) {
    self.column = column
    self.comparison = comparison
    self.operand = operand
  }

  /// Parses a word as a condition on a column; an operand in quotation marks is separate.
  ///
  /// The result is `.some(nil)` if the operand is still missing, and nil if the word does not begin
  /// with a column and a comparison. Case is ignored in names, except between columns that differ
  /// only in case.
  package static func reading(
    _ word: String, quoted: String? = nil, columns: [String]
  ) -> ColumnCondition?? {
    let names =
      columns.filter { word.hasPrefix($0) }
      + columns.filter { word.prefix($0.count).lowercased() == $0.lowercased() }
    // A name can contain a comparison operator, and another name.
    for name in names.sorted(by: { $0.count > $1.count }) {
      let rest = word.dropFirst(name.count)
      guard let (first, afterFirst) = Comparison.reading(rest) else { continue }
      // The user may complete a given `total:` with `>10`, or with another column.
      if first == .contains,
        let other = reading(String(afterFirst), quoted: quoted, columns: columns)
      {
        return other
      }
      let second = first == .contains ? Comparison.reading(afterFirst) : nil
      let (comparison, typed) = second ?? (first, afterFirst)
      let operand = String(typed) + (quoted ?? "")
      guard !operand.isEmpty else { return .some(nil) }
      return ColumnCondition(
        name, comparison, quoted == nil && Self.empty.contains(operand) ? "" : operand)
    }
    return nil
  }

  /// The notations of an empty operand.
  private static let empty = ["\"\"", "''"]
}

extension ColumnCondition.Comparison {
  /// Whether the comparison is by order.
  package var isOfOrder: Bool {
    switch self {
    case .less, .atMost, .greater, .atLeast: true
    case .contains, .lacks, .equal, .notEqual: false
    }
  }

  /// The opposite comparison.
  package var negated: Self {
    switch self {
    case .contains: .lacks
    case .lacks: .contains
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .atLeast
    case .atLeast: .less
    case .greater: .atMost
    case .atMost: .greater
    }
  }

  /// The notations, among them those of other languages.
  private static let notations =
    (allCases.map { ($0.rawValue, $0) }
    + [("==", .equal), ("<>", .notEqual)]).sorted { $0.0.count > $1.0.count }

  /// Parses the comparison at the start of a text, and returns it with the text after it, or nil if
  /// there is none.
  package static func reading(_ text: Substring) -> (Self, rest: Substring)? {
    notations.first { text.hasPrefix($0.0) }.map { ($0.1, text.dropFirst($0.0.count)) }
  }
}
