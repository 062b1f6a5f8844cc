/// A column of the keys of a table, and what it makes of the keys that somebody types.
public struct TypedKeyColumn: Sendable, Hashable {
  /// What the column stores values as.
  package enum Form: Sendable, Hashable {
    case any
    case text
    /// Whole numbers; no new key is anything else.
    case integer
    /// Numbers with a point; no new key is anything else.
    case real
    /// Numbers where they can be, and else what is given.
    case numeric
  }

  /// The name of the column.
  package let name: String
  /// The type that it is declared with, such as `INTEGER`.
  package let type: String
  package let form: Form
  /// Whether a row can have no value there.
  package let isNullable: Bool

  package init(name: String, type: String, form: Form, isNullable: Bool = false) {
    self.name = name
    self.type = type
    self.form = form
    self.isNullable = isNullable
  }

  /// The key that a new entry gets for one that is typed; nil where it does not read as the type of
  /// the column.
  ///
  /// A number in a text becomes one only where the text is just its digits.
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
      // Digits become a number; the words inf and nan do not.
      case .integer(let whole): reading(.integer(whole))
      case .real(let number) where number.isFinite: reading(.real(number))
      case _ where form == .real:
        // However the number is spelled, such as 2.00, the database stores the same one.
        text.isDecimal ? Double(text).flatMap { $0.isFinite ? .real($0) : nil } : nil
      default: form == .numeric ? key : nil
      }
    case (.numeric, _): key
    case (.integer, _), (.real, _): nil
    }
  }
}

extension [TypedKeyColumn] {
  /// The key that a new entry gets for what is typed: each part is of the type of its column, where it
  /// reads as that.
  package func key(typed text: String, _ style: KeyStyle) -> EntryKey {
    let key = EntryKey(notation: text, style: style)
    guard let parts = parts(of: key) else { return key }
    let read = zip(self, parts).map { column, part in column.reading(part) ?? part }
    return count == 1 ? read.first ?? key : .composite(read)
  }

  /// Why a new entry cannot have a key, as a clause; nil where nothing is wrong with its types.
  package func fault(of key: EntryKey) -> String? {
    guard let parts = parts(of: key) else { return nil }
    let misfit = zip(self, parts).first { column, part in column.reading(part) == nil }
    return misfit.map { column, part in
      "\(part.spoken) does not read as \(column.type), the type of the key column \(column.name)"
    }
  }

  /// The part of each column; nil where the key has other parts.
  private func parts(of key: EntryKey) -> [EntryKey]? {
    if count == 1 { return [key] }
    guard case .composite(let parts) = key, parts.count == count else { return nil }
    return parts
  }
}

extension String {
  /// Whether there are only characters in it that numbers with a point or an exponent are written in.
  fileprivate var isDecimal: Bool { utf8.allSatisfy { "0123456789.+-eE".utf8.contains($0) } }
}
