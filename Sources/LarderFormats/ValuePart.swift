package import LarderModel
package import LarderDocuments

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

  /// The column and the way to the member, from the outside in, as a user reads them.
  package var names: [String] { [column, member.map(ValueMember.shownName)].compactMap(\.self) }

  /// What a value has there; nil where it has nothing.
  package func value(in whole: StoredValue) -> StoredValue? {
    guard let value = around(in: whole) else { return nil }
    return member.map { ValueMember.value(named: $0, in: value) } ?? value
  }

  /// What holds the member: the column, or all of the value; nil where there is no such column.
  private func around(in whole: StoredValue) -> StoredValue? {
    column.map { whole.field($0) } ?? whole
  }

  /// Whether that is an element of an array, or in one, which others move by what they do before it.
  package var isInArray: Bool {
    let path = member.flatMap(ValueMember.path) ?? []
    return path.contains { if case .index = $0 { true } else { false } }
  }

  /// What the member is in.
  package var container: ValuePart {
    let path = member.flatMap(ValueMember.path) ?? []
    guard path.count > 1 else { return ValuePart(column: column) }
    return ValuePart(column: column, member: ValueMember.name(of: path.dropLast()))
  }

  /// A member of what is there.
  package func member(_ step: DocumentStep) -> ValuePart {
    let path = member.flatMap(ValueMember.path) ?? []
    return ValuePart(column: column, member: ValueMember.name(of: path + [step]))
  }

  /// The same, where for a new element of an array the place at its end is meant.
  package func free(in whole: StoredValue) -> ValuePart {
    guard let member, let value = around(in: whole) else { return self }
    return ValuePart(column: column, member: ValueMember.free(member, in: value))
  }

  /// Whether a number there is written in digits of its own, as in JSON.
  package func keepsDigits(in whole: StoredValue) -> Bool {
    guard member != nil, let value = around(in: whole) else { return false }
    return ValueMember.keepsDigits(in: value)
  }

  /// The value with something else there, and everything else as it is.
  ///
  /// - Throws: Why the value cannot hold it.
  package func replacing(
    in whole: StoredValue, with value: StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    try changing(whole) { old, member throws(ValueText.Failure) in
      guard let member else { return value }
      return try ValueMember.replacing(member, in: old, with: value)
    }
  }

  /// The value with a new member there, and everything else as it is.
  ///
  /// - Throws: Why the value cannot hold it.
  package func adding(
    in whole: StoredValue, with value: StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    try changing(whole) { old, member throws(ValueText.Failure) in
      guard let member else { return value }
      return try ValueMember.adding(member, in: old, with: value)
    }
  }

  /// The value without the member there, and everything else as it is.
  ///
  /// - Throws: That there is no such member.
  package func removing(in whole: StoredValue) throws(ValueText.Failure) -> StoredValue {
    try changing(whole) { old, member throws(ValueText.Failure) in
      guard let member else { throw ValueText.Failure("a column cannot be taken out of its row") }
      return try ValueMember.removing(member, in: old)
    }
  }

  /// The value after a change of its column, or of all of it.
  private func changing(
    _ whole: StoredValue,
    _ change: (StoredValue, _ member: String?) throws(ValueText.Failure) -> StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    guard let column else { return try change(whole, member) }
    guard case .record(var fields) = whole else {
      throw ValueText.Failure("the entry has no column “\(column)” any more")
    }
    guard let place = fields.firstIndex(where: { $0.name.hasBytes(of: column) }) else {
      throw ValueText.Failure("the column “\(column)” is not there any more")
    }
    fields[place].value = try change(fields[place].value, member)
    return .record(fields)
  }
}
