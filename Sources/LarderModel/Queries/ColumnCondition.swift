/// A condition on one column of the rows that a store lists, such as `total>100`.
public struct ColumnCondition: Sendable, Hashable {
  /// How the column is compared with the operand.
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    /// The text of the column contains the operand, by the rules of ``EntryFilter/Pattern/text(_:)``.
    case contains = ":"
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
  }

  /// The name of the column.
  public var column: String
  /// How it is compared.
  public var comparison: Comparison
  /// What it is compared with: a number where it reads as one, else text.
  ///
  /// `null` stands for the absence of a value after ``Comparison/equal`` and ``Comparison/notEqual``.
  public var operand: String

  /// Creates a condition.
  public init(_ column: String, _ comparison: Comparison, _ operand: String) {
    self.column = column
    self.comparison = comparison
    self.operand = operand
  }

  /// The condition that a word is about one of the columns: nil inside where what it is compared
  /// with has still to be typed, and nil where the word begins with no column and comparison.
  ///
  /// The case of letters in the name matters only between columns that differ in nothing else.
  package static func reading(_ word: String, columns: [String]) -> ColumnCondition?? {
    let names =
      columns.filter { word.hasPrefix($0) }
      + columns.filter { word.prefix($0.count).lowercased() == $0.lowercased() }
    // A name may hold what compares, and another name.
    for name in names.sorted(by: { $0.count > $1.count }) {
      let rest = word.dropFirst(name.count)
      guard let first = Comparison(startOf: rest) else { continue }
      let afterFirst = rest.dropFirst(first.rawValue.count)
      // Who finds `total:` in the line may go on with `>10`, or with another column.
      if first == .contains, let other = reading(String(afterFirst), columns: columns) {
        return other
      }
      let second = first == .contains ? Comparison(startOf: afterFirst) : nil
      let comparison = second ?? first
      let operand = String(afterFirst.dropFirst(second?.rawValue.count ?? 0))
      guard !operand.isEmpty else { return .some(nil) }
      return ColumnCondition(name, comparison, operand == Self.empty ? "" : operand)
    }
    return nil
  }

  /// How an empty operand is typed.
  private static let empty = "\"\""

  /// The condition as it is typed, without what a filter needs before spaces.
  var word: String { column + comparison.rawValue + (operand.isEmpty ? Self.empty : operand) }

  /// The condition in words, such as `total > 100`.
  package var spoken: String {
    comparison == .contains
      ? "\(column) contains “\(operand)”" : "\(column) \(comparison.rawValue) \(operand)"
  }
}

extension ColumnCondition.Comparison {
  private static let longestFirst = allCases.sorted { $0.rawValue.count > $1.rawValue.count }

  /// The comparison that a text begins with; nil where it begins with none.
  fileprivate init?(startOf text: some StringProtocol) {
    guard let found = Self.longestFirst.first(where: { text.hasPrefix($0.rawValue) }) else {
      return nil
    }
    self = found
  }
}
