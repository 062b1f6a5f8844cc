/// The type of a stored value, by the name used on the command line and in JSON.
public enum StoredType: String, Sendable, Hashable, CaseIterable {
  /// Null.
  case null
  /// True or false.
  case bool
  /// A signed whole number.
  case integer
  /// A floating-point number.
  case real
  /// Text, valid UTF-8 or not.
  case text
  /// Bytes.
  case data
  /// A date and time.
  case date
  /// A URL.
  case url
  /// A universally unique identifier.
  case uuid
  /// An ordered list of values.
  case array
  /// Named values.
  case dictionary
  /// The columns of a row.
  case record
}

extension StoredValue {
  /// The type of this value.
  public var type: StoredType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .integer: .integer
    case .real: .real
    case .number(let digits): digits.utf8.contains { ".eE".utf8.contains($0) } ? .real : .integer
    case .text, .malformedText: .text
    case .data: .data
    case .date: .date
    case .url: .url
    case .uuid: .uuid
    case .array: .array
    case .dictionary: .dictionary
    case .record: .record
    }
  }
}
