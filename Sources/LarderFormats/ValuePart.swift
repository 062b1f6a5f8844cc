package import LarderModel
package import LarderDocuments

/// A part of an entry's value: the whole value, a column of a row, or a member inside of either.
package struct ValuePart: Sendable, Equatable {
  /// The name of the column; nil if the value is not a row, or for the whole row.
  package let column: String?
  /// The name of the member in the notation of ``ValueMember``; nil for the whole column or value.
  package let member: String?

  package init(column: String? = nil, member: String? = nil) {
    self.column = column
    self.member = member
  }

  /// Whether the part is the whole value.
  package var isWhole: Bool { column == nil && member == nil }

  /// The column and the member's key path, as shown to the user.
  package var names: [String] { [column, member.map(ValueMember.shownName)].compactMap(\.self) }

  /// Returns the part's value, or nil if there is none.
  package func value(in whole: StoredValue) -> StoredValue? {
    guard let value = around(in: whole) else { return nil }
    return member.map { ValueMember.value(named: $0, in: value) } ?? value
  }

  /// Returns the value that contains the member: the column or the whole value; nil if there is no
  /// such column.
  private func around(in whole: StoredValue) -> StoredValue? {
    column.map { whole.field($0) } ?? whole
  }

  /// Whether the member is inside an array, so that insertions and deletions before it can move it.
  package var isInArray: Bool {
    let path = member.flatMap(ValueMember.path) ?? []
    return path.contains { if case .index = $0 { true } else { false } }
  }

  /// The part that contains the member.
  package var container: ValuePart {
    let path = member.flatMap(ValueMember.path) ?? []
    guard path.count > 1 else { return ValuePart(column: column) }
    return ValuePart(column: column, member: ValueMember.name(of: path.dropLast()))
  }

  /// Returns the part for a member of this part's value.
  package func member(_ step: DocumentStep) -> ValuePart {
    let path = member.flatMap(ValueMember.path) ?? []
    return ValuePart(column: column, member: ValueMember.name(of: path + [step]))
  }

  /// Returns the part with a new array element's index set to the end of its array.
  package func free(in whole: StoredValue) -> ValuePart {
    guard let member, let value = around(in: whole) else { return self }
    return ValuePart(column: column, member: ValueMember.free(member, in: value))
  }

  /// Whether a number in this part is stored as its digits, as in JSON.
  package func keepsDigits(in whole: StoredValue) -> Bool {
    guard member != nil, let value = around(in: whole) else { return false }
    return ValueMember.keepsDigits(in: value)
  }

  /// Returns the value with this part replaced and the rest unchanged.
  ///
  /// - Throws: ``ValueText/Failure`` if the part does not exist or cannot hold the new value.
  package func replacing(
    in whole: StoredValue, with value: StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    try changing(whole) { old, member throws(ValueText.Failure) in
      guard let member else { return value }
      return try ValueMember.replacing(member, in: old, with: value)
    }
  }

  /// Returns the value with a new member added at this part and the rest unchanged.
  ///
  /// - Throws: ``ValueText/Failure`` if the member already exists or cannot be added.
  package func adding(
    in whole: StoredValue, with value: StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    try changing(whole) { old, member throws(ValueText.Failure) in
      guard let member else { return value }
      return try ValueMember.adding(member, in: old, with: value)
    }
  }

  /// Returns the value without this member and the rest unchanged.
  ///
  /// - Throws: ``ValueText/Failure`` if there is no such member.
  package func removing(in whole: StoredValue) throws(ValueText.Failure) -> StoredValue {
    try changing(whole) { old, member throws(ValueText.Failure) in
      guard let member else { throw ValueText.Failure.fixedColumn }
      return try ValueMember.removing(member, in: old)
    }
  }

  /// Returns the value with a change applied to its column or to the whole value.
  private func changing(
    _ whole: StoredValue,
    _ change: (StoredValue, _ member: String?) throws(ValueText.Failure) -> StoredValue
  ) throws(ValueText.Failure) -> StoredValue {
    guard let column else { return try change(whole, member) }
    guard case .record(var fields) = whole,
      let place = fields.firstIndex(where: { $0.name.hasBytes(of: column) })
    else { throw .columnGone(column) }
    fields[place].value = try change(fields[place].value, member)
    return .record(fields)
  }
}
