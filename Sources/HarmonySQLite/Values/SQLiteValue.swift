/// A value of a database, in one of its five types.
public enum SQLiteValue: Sendable {
  /// No value.
  case null
  /// A signed integer.
  case integer(Int64)
  /// A floating-point number; SQLite stores NaN as null.
  case real(Double)
  /// Text that is valid UTF-8.
  case text(String)
  /// Text whose bytes are not valid UTF-8.
  case malformedText([UInt8])
  /// A blob.
  case blob([UInt8])
}

/// The type of a value in a database.
public enum SQLiteType: Sendable, Hashable {
  /// No value.
  case null
  /// A signed integer.
  case integer
  /// A floating-point number.
  case real
  /// Text, valid UTF-8 or not.
  case text
  /// A blob.
  case blob
}

extension SQLiteValue {
  /// The integer; nil for other types.
  package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// The text; nil for other types and for text that is not valid UTF-8.
  package var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The bytes of a blob; nil for other types.
  package var blob: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
}

extension SQLiteValue: Equatable {
  /// Whether both have the same type and the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.malformedText(let left), .malformedText(let right)), (.blob(let left), .blob(let right)):
      left == right
    default: false
    }
  }
}
