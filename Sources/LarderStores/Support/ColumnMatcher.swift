import LarderModel

/// Says whether a column of a row fulfils a condition.
///
/// Made for one operation on one thread, as the search in it is. NULL is different from everything
/// else, and fulfils no other condition but `=null`.
final class ColumnMatcher {
  private let condition: ColumnCondition
  private let isNull: Bool
  /// What the column is compared with; a number where it reads as one.
  private let operand: EntryKey
  private let search: TermMatcher

  init(_ condition: ColumnCondition) throws(StoreError) {
    self.condition = condition
    isNull = condition.operand.lowercased() == "null"
    operand = .comparable(number: condition.operand) ?? .text(condition.operand)
    search = try TermMatcher(.init(.text(condition.operand)), in: .values)
  }

  var column: String { condition.column }

  /// Whether a value fulfils the condition.
  func matches(_ value: StoredValue) -> Bool {
    let comparison = condition.comparison
    let present = Self.comparable(value)
    if isNull, comparison == .equal { return present == .null }
    if isNull, comparison == .notEqual { return present != .null }
    if comparison == .contains { return present != .null && search.occurs(in: value) }
    // Digits of text that are equal as numbers, such as 7 and 007, are two texts.
    if case .text(let text) = present, [.equal, .notEqual].contains(comparison) {
      return text.hasBytes(of: condition.operand) == (comparison == .equal)
    }
    guard present != .null, let same = asOperand(present) else { return comparison == .notEqual }
    return switch comparison {
    case .equal: same == operand
    case .notEqual: same != operand
    case .less: same < operand
    case .atMost: same <= operand
    case .greater: same > operand
    case .atLeast: same >= operand
    case .contains: false
    }
  }

  /// A value as it is written in a condition.
  private static func comparable(_ value: StoredValue) -> EntryKey {
    switch value {
    case .bool(let flag): .text(flag ? "true" : "false")
    case .date(let date): .text(Timestamp.text(of: date))
    default: value.comparable
    }
  }

  /// A value as one of the operand's type; nil where the two cannot be compared.
  ///
  /// Tables hold numbers as text, too.
  private func asOperand(_ value: EntryKey) -> EntryKey? {
    switch (operand, value) {
    case (.text, .text), (.text, .malformedText): value
    case (.text, _): nil
    case (_, .text(let text)): .comparable(number: text)
    case (_, .integer), (_, .real): value
    default: nil
    }
  }
}
