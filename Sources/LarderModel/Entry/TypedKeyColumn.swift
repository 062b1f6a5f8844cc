/// A column of a table's keys, which converts the keys that the user enters to its type.
public struct TypedKeyColumn: Sendable, Hashable {
  /// The type affinity of a column.
  package enum Form: Sendable, Hashable {
    case any
    case text
    /// Integers; a new key must be one.
    case integer
    /// Reals; a new key must be one.
    case real
    /// Numbers where the text is numeric, and otherwise any value.
    case numeric
  }

  /// The name of the column.
  package let name: String
  /// The declared type, such as `INTEGER`.
  package let type: String
  package let form: Form
  /// Whether the column can be null.
  package let isNullable: Bool

  package init(name: String, type: String, form: Form, isNullable: Bool = false) {
    self.name = name
    self.type = type
    self.form = form
    self.isNullable = isNullable
  }

  /// Converts an entered key to the column's type, or returns nil if that is not possible.
  ///
  /// Text becomes a number only if it consists of the number's digits alone.
  package func reading(_ key: EntryKey) -> EntryKey? {
    switch (form, key) {
    case (_, .null) where isNullable, (.any, _): key
    case (.text, .null), (.text, .integer), (.text, .real): .text(key.notation(.typed))
    case (.text, _): key
    case (_, .integer(let whole)):
      form == .real ? Double(exactly: whole).map { .real($0) } : key
    case (_, .real(let number)):
      if form != .real, let whole = Int64(exactly: number),
        Double(whole).bitPattern == number.bitPattern
      {
        .integer(whole)
      } else {
        form == .integer || form == .real && number.isNaN ? nil : key
      }
    case (_, .text(let text)):
      switch EntryKey(notation: text, style: .typed) {
      // Digits become a number, but the words inf and nan do not.
      case .integer(let whole): reading(.integer(whole))
      case .real(let number) where number.isFinite: reading(.real(number))
      case _ where form == .real:
        // The database stores the same number regardless of its spelling, such as 2.00.
        text.isDecimal ? Double(text).flatMap { $0.isFinite ? .real($0) : nil } : nil
      default: form == .numeric ? key : nil
      }
    case (.numeric, _): key
    case (.integer, _), (.real, _): nil
    }
  }
}

extension [TypedKeyColumn] {
  /// Returns the key of a new entry for the entered text, converting each part to the type of its
  /// column where possible.
  package func key(typed text: String, _ style: KeyStyle) -> EntryKey {
    let key = EntryKey(notation: text, style: style)
    guard let parts = parts(of: key) else { return key }
    let read = zip(self, parts).map { column, part in column.reading(part) ?? part }
    return count == 1 ? read.first ?? key : .composite(read)
  }

  /// Returns the reason why a new entry cannot have the key, as a clause; nil if its types are
  /// valid.
  package func fault(of key: EntryKey) -> String? {
    guard let parts = parts(of: key) else { return nil }
    let misfit = zip(self, parts).first { column, part in column.reading(part) == nil }
    return misfit.map { column, part in Messages.wrongKeyType(part, column) }
  }

  /// Returns the part for each column, or nil if the number of parts is different.
  private func parts(of key: EntryKey) -> [EntryKey]? {
    if count == 1 { return [key] }
    guard case .composite(let parts) = key, parts.count == count else { return nil }
    return parts
  }
}

extension String {
  /// Whether the string consists only of characters used in decimal numbers.
  fileprivate var isDecimal: Bool { utf8.allSatisfy { "0123456789.+-eE".utf8.contains($0) } }
}
