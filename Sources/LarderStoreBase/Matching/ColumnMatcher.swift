package import Foundation
import LarderFormats
package import LarderModel

/// A matcher for a condition on a column of a row.
///
/// An instance is for one operation on one thread, like the search in it. NULL is unequal to any
/// other value, contains nothing, and otherwise only satisfies `=null`. A number that is shown as a date and
/// bytes that are shown as a UUID also match as they are shown.
package final class ColumnMatcher {
  private let condition: ColumnCondition
  private let isNull: Bool
  /// The value that the column is compared with; a number if the operand can be parsed as one.
  private let operand: EntryKey
  private let search: TermMatcher
  /// The date that values are compared with if they denote one; nil if the operand is not a time.
  private let date: Date?
  /// The operand in the spelling of a date or a UUID in a cell; nil if it has none of the two.
  private let shownOperand: String?

  package init(_ condition: ColumnCondition, at now: Date = Date()) throws(StoreError) {
    self.condition = condition
    date =
      condition.comparison.isOfOrder
      ? ComparedTime.date(typed: condition.operand, at: now) : nil
    isNull = condition.operand.lowercased() == "null"
    operand = .comparable(number: condition.operand) ?? .text(condition.operand)
    let spelled = Self.spelled(condition.operand)
    let isShown =
      spelled.utf8.allSatisfy("0123456789abcdef-: .".utf8.contains)
      && spelled.contains(where: \.isHexDigit)
    shownOperand = isShown ? spelled : nil
    search = try TermMatcher(.init(.text(condition.operand)), in: .values)
  }

  package var column: String { condition.column }

  /// Whether the operand is searched for in the value.
  private var isSearch: Bool { [.contains, .lacks].contains(condition.comparison) }

  /// Returns whether a value satisfies the condition.
  package func matches(_ value: StoredValue) -> Bool {
    let comparison = condition.comparison
    let present = Self.comparable(value)
    if isNull, comparison == .equal { return present == .null }
    if isNull, comparison == .notEqual { return present != .null }
    if let date, let present = ComparedTime.date(of: value) {
      return comparison.holds(present, date)
    }
    if isSearch {
      let isFound = present != .null && (search.occurs(in: value) || isShown(in: value))
      return isFound == (comparison == .contains)
    }
    if [.equal, .notEqual].contains(comparison), isShown(in: value) { return comparison == .equal }
    // Strings with the same numeric value, such as 7 and 007, are different strings.
    if case .text(let text) = present, [.equal, .notEqual].contains(comparison) {
      return text.hasBytes(of: condition.operand) == (comparison == .equal)
    }
    guard present != .null, let same = asOperand(present) else { return comparison == .notEqual }
    return comparison.holds(same, operand)
  }

  /// Returns whether a cell shows the value as the operand, or as a more precise date, or whether it
  /// contains the operand if that is the comparison.
  private func isShown(in value: StoredValue) -> Bool {
    guard let shownOperand,
      let text = ColumnMeaning.text(of: value, in: column) ?? Self.text(of: value)
    else { return false }
    let shown = Self.spelled(text)
    if isSearch { return shown.contains(shownOperand) }
    // A date without its seconds, time or day.
    let isShort = [7, 10, 16].contains(shownOperand.utf8.count) && shown.utf8.count == 19
    return shown == shownOperand || isShort && shown.hasPrefix(shownOperand)
  }

  /// Returns a date or a UUID as a cell shows it, whatever the name of the column is.
  private static func text(of value: StoredValue) -> String? {
    switch value {
    case .date(let date): Timestamp.secondText(of: date)
    case .data(let bytes): UUID(versionedBytes: bytes)?.uuidString
    default: nil
    }
  }

  /// Returns a date or a UUID in the one spelling that is compared.
  private static func spelled(_ text: String) -> String {
    var bytes = Array(text.lowercased().utf8)
    func isDigit(_ place: Int) -> Bool {
      bytes.indices.contains(place) && 0x30...0x39 ~= bytes[place]
    }
    if bytes.last == UInt8(ascii: "z"), isDigit(bytes.count - 2) { bytes.removeLast() }
    for place in bytes.indices
    where bytes[place] == UInt8(ascii: "t") && isDigit(place - 1) && isDigit(place + 1) {
      bytes[place] = UInt8(ascii: " ")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a value as it would be written in a condition.
  private static func comparable(_ value: StoredValue) -> EntryKey {
    switch value {
    case .bool(let flag): .text(flag ? "true" : "false")
    case .date(let date): .text(Timestamp.text(of: date))
    default: value.comparable
    }
  }

  /// Converts a value to the operand's type, or returns nil if the two cannot be compared.
  ///
  /// Text is parsed for comparison with a number, as tables may store numbers as text.
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

extension ColumnCondition.Comparison {
  fileprivate func holds<Value: Comparable>(_ present: Value, _ operand: Value) -> Bool {
    switch self {
    case .equal: present == operand
    case .notEqual: present != operand
    case .less: present < operand
    case .atMost: present <= operand
    case .greater: present > operand
    case .atLeast: present >= operand
    case .contains, .lacks: false
    }
  }
}
