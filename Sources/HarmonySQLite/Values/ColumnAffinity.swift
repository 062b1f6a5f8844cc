/// The affinity of a column, derived from its declared type:
/// <https://www.sqlite.org/datatype3.html>, 3.1.
package enum ColumnAffinity: Sendable {
  case integer
  case text
  case none
  case real
  case numeric

  /// Creates the affinity of a declared type.
  package init(declared type: String) {
    let type = type.uppercased()
    func names(_ words: String...) -> Bool { words.contains(where: type.contains) }
    self =
      if names("INT") {
        .integer
      } else if names("CHAR", "CLOB", "TEXT") {
        .text
      } else if type.isEmpty || names("BLOB") {
        .none
      } else {
        names("REAL", "FLOA", "DOUB") ? .real : .numeric
      }
  }

  /// Returns a number, or the text of a number, as the column stores it.
  ///
  /// Values that are not numbers or whose value would change stay the same.
  package func number(_ value: SQLiteValue) -> SQLiteValue {
    switch (self, value) {
    case (.none, _): return value
    case (.text, .integer(let number)): return .text(String(number))
    case (.text, .real(let number)): return .text(String(number))
    case (.real, .integer(let whole)):
      let number = Double(whole)
      return Int64(exactly: number) == whole ? .real(number) : value
    case (.integer, .real(let number)), (.numeric, .real(let number)):
      return Int64(exactly: number).map { .integer($0) } ?? value
    case (.integer, .text(let text)), (.numeric, .text(let text)), (.real, .text(let text)):
      if let whole = Int64(text), String(whole) == text { return self.number(.integer(whole)) }
      guard let real = Double(text), real.isFinite, String(real) == text else { return value }
      return self.number(.real(real))
    default: return value
    }
  }
}
