/// What of an entry's value is meant: all of it, a column of a row, or a member inside of either.
package struct ValuePart: Sendable, Equatable {
  /// The name of the column; nil where the value is no row, or all of the row is meant.
  package let column: String?
  /// The name of the member, as ``ValueMember`` names it; nil for all of the column or the value.
  package let member: String?

  package init(column: String? = nil, member: String? = nil) {
    self.column = column
    self.member = member
  }

  /// Whether all of the value is meant.
  package var isWhole: Bool { column == nil && member == nil }

  /// The column and the way to the member, from the outside in, as a person reads them.
  package var names: [String] { [column, member.map(ValueMember.shownName)].compactMap(\.self) }

  /// What a value has there; nil where it has nothing.
  package func value(in whole: StoredValue) -> StoredValue? {
    var value = whole
    if let column {
      guard let field = whole.field(column) else { return nil }
      value = field
    }
    return member.map { ValueMember.value(named: $0, in: value) } ?? value
  }

  /// Whether a number there is written in digits of its own, as in JSON.
  func keepsDigits(in whole: StoredValue) -> Bool {
    guard member != nil, let value = column.map({ whole.field($0) }) ?? whole else { return false }
    return ValueMember.keepsDigits(in: value)
  }

  /// The value with something else there, and everything else as it is.
  ///
  /// - Throws: Why the value cannot hold it.
  package func replacing(
    in whole: StoredValue, with value: StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    guard let column else { return try replacing(inside: whole, with: value) }
    guard case .record(var fields) = whole else {
      throw ValueText.Failure("the entry has no column “\(column)” any more")
    }
    guard let place = fields.firstIndex(where: { $0.name.hasBytes(of: column) }) else {
      throw ValueText.Failure("the column “\(column)” is not there any more")
    }
    fields[place].value = try replacing(inside: fields[place].value, with: value)
    return .record(fields)
  }

  private func replacing(
    inside whole: StoredValue, with value: StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    guard let member else { return value }
    return try ValueMember.replacing(member, in: whole, with: value)
  }
}
