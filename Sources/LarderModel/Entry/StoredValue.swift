public import Foundation

/// A value as its store holds it, with its type.
///
/// Two values are equal if they would be stored as the same bytes: text is compared byte by byte
/// and reals by bit pattern, so that a different spelling or sign of zero is a change.
public enum StoredValue: Sendable {
  /// Null.
  case null
  /// A boolean, in stores that distinguish it from numbers.
  case bool(Bool)
  /// A signed whole number.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A number as its digits, if the cases above would be written differently: `1.50`, `1e5`, or
  /// 2^64.
  case number(String)
  /// Text that is valid UTF-8.
  case text(String)
  /// Text whose bytes are not valid UTF-8.
  case malformedText([UInt8])
  /// Bytes.
  case data([UInt8])
  /// A date and time.
  case date(Date)
  /// A URL, in its stored spelling.
  case url(String)
  /// A universally unique identifier.
  case uuid(UUID)
  /// An ordered list of values.
  case array([StoredValue])
  /// Named values in the order of the store, possibly with duplicate names.
  case dictionary([Field])
  /// The columns of a row, in the order of the table.
  case record([Field])

  /// A named value inside a dictionary or a record.
  public struct Field: Sendable, Hashable {
    /// The name, which is unique in records but not necessarily in dictionaries.
    public var name: String
    /// The value of the field.
    public var value: StoredValue

    /// Creates a field.
    public init(_ name: String, _ value: StoredValue) {
      self.name = name
      self.value = value
    }
  }
}

extension StoredValue {
  /// Creates a value from a store's text bytes: text, or malformed text if they are not UTF-8.
  public init(textBytes: some Collection<UInt8>) {
    if let text = String(validating: textBytes, as: UTF8.self) {
      self = .text(text)
    } else {
      self = .malformedText(Array(textBytes))
    }
  }
}

extension StoredValue {
  /// Creates a number from a float, with the digits that its precision has.
  package init(_ number: Float) {
    self = .real(number.isNaN ? Double(number) : Double(number.description) ?? Double(number))
  }

  /// Creates a number from digits in JSON syntax, in the case that reproduces them exactly.
  package init(digits: String) {
    if let number = Int64(digits), String(number) == digits {
      self = .integer(number)
    } else if let number = Double(digits), number.description == digits {
      self = .real(number)
    } else {
      self = .number(digits)
    }
  }
}

extension StoredValue: Equatable {
  /// Whether both values have the same type and the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.text(let left), .text(let right)), (.url(let left), .url(let right)),
      (.number(let left), .number(let right)):
      left.hasBytes(of: right)
    case (.malformedText(let left), .malformedText(let right)), (.data(let left), .data(let right)):
      left == right
    case (.date(let left), .date(let right)):
      left.timeIntervalSinceReferenceDate.bitPattern
        == right.timeIntervalSinceReferenceDate.bitPattern
    case (.uuid(let left), .uuid(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)), (.record(let left), .record(let right)):
      left == right
    default: false
    }
  }
}

extension StoredValue.Field {
  /// Whether both fields have the same bytes in their names and equal values.
  public static func == (left: Self, right: Self) -> Bool {
    left.name.hasBytes(of: right.name) && left.value == right.value
  }
}

extension StoredValue: Hashable {
  /// Feeds the value's type and contents to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    switch self {
    case .null: break
    case .bool(let flag): hasher.combine(flag)
    case .integer(let number): hasher.combine(number)
    case .real(let number): hasher.combine(number.bitPattern)
    case .text(let text), .url(let text), .number(let text): hasher.combine(Array(text.utf8))
    case .malformedText(let bytes), .data(let bytes): hasher.combine(bytes)
    case .date(let date): hasher.combine(date.timeIntervalSinceReferenceDate.bitPattern)
    case .uuid(let uuid): hasher.combine(uuid)
    case .array(let values): hasher.combine(values)
    case .dictionary(let fields), .record(let fields): hasher.combine(fields)
    }
  }
}

extension StoredValue {
  /// Returns the value of a row's column, or nil if there is no such column or the value is not a
  /// row.
  package func field(_ name: String) -> StoredValue? {
    guard case .record(let fields) = self else { return nil }
    return fields.first { $0.name.hasBytes(of: name) }?.value
  }

  /// Returns the row with a column set to another value; a new column is appended at the end.
  package func setting(_ name: String, to value: StoredValue) -> StoredValue {
    guard case .record(var fields) = self else { return self }
    if let place = fields.firstIndex(where: { $0.name.hasBytes(of: name) }) {
      fields[place].value = value
    } else {
      fields.append(Field(name, value))
    }
    return .record(fields)
  }
}
