package import LarderModel
package import Foundation

/// An entry as one line of JSON, which can be read back without loss.
///
/// The line is `{"key": …, "type": …, "value": …}`, with `form`, `modified`, `expires` and the
/// names of a row's value and expiry columns where they are known. `expires` is `never` for a cache
/// entry that never expires. Values that JSON cannot express are written as in ``JSONText``, in
/// keys too.
package struct EntryLine: Sendable, Hashable {
  /// The key.
  package var key: EntryKey
  /// The complete value.
  package var value: StoredValue
  /// The expiry, if the store has one; the distant future means that the entry never expires.
  package var expires: Date?
  /// The store's own name for the value's storage format, if it has one.
  package var form: String?
  /// The value and expiry columns of a row that holds one value; nil for other values.
  package var columns: ValueColumns?

  /// The reason why a line is not a valid entry.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
  }

  /// Creates an entry line.
  package init(
    key: EntryKey, value: StoredValue, expires: Date? = nil, form: String? = nil,
    columns: ValueColumns? = nil
  ) {
    self.key = key
    self.value = value
    self.expires = expires
    self.form = form
    self.columns = value.type == .record ? columns : nil
  }

  /// Returns the line without a line feed.
  ///
  /// - Parameter modified: The time of the last write, which larder itself does not read back.
  /// - Returns: The line.
  package func text(modified: Date? = nil) -> String {
    var buffer = ByteBuffer(capacity: 256)
    append(modified: modified, to: &buffer)
    return buffer.text
  }

  /// Appends the line without a line feed.
  ///
  /// - Parameters:
  ///   - modified: The time of the last write, which larder itself does not read back.
  ///   - buffer: The buffer to append to.
  package func append(modified: Date? = nil, to buffer: inout ByteBuffer) {
    buffer.append(literal: "{\"key\":")
    JSONText.append(Self.value(of: key), to: &buffer)
    buffer.append(literal: ",\"type\":\"")
    buffer.append(value.type.rawValue)
    buffer.append(literal: "\",\"value\":")
    JSONText.append(value, to: &buffer)
    if let form {
      buffer.append(literal: ",\"form\":")
      buffer.append(quoted: form)
    }
    if let modified { buffer.append(member: "modified", modified) }
    if expires == .distantFuture {
      buffer.append(literal: ",\"expires\":")
      buffer.append(quoted: Self.never)
    } else if let expires {
      buffer.append(member: "expires", expires)
    }
    if let columns { buffer.append(Self.text(of: columns)) }
    buffer.append(UInt8(ascii: "}"))
  }

  /// Returns the members of a line that name the value and expiry columns of a row.
  package static func text(of columns: ValueColumns) -> String {
    ",\"valueColumn\":\(JSONText.quote(columns.value))"
      + (columns.expiry.map { ",\"expiryColumn\":\(JSONText.quote($0))" } ?? "")
  }

  private static let never = "never"
  /// The names of the members that are read.
  private static let names: Set = [
    "key", "type", "value", "form", "expires", "valueColumn", "expiryColumn",
  ]

  /// Parses a line, ignoring unknown members.
  ///
  /// - Parameter bytes: The line, with or without a line feed.
  /// - Throws: ``Failure`` if it is not a valid entry.
  package init(_ bytes: some Sequence<UInt8>) throws(Failure) {
    let line: StoredValue
    do {
      line = try JSONParser.parse(bytes, readsTypes: false)
    } catch {
      throw Failure.notJSON(error)
    }
    guard case .dictionary(let members) = line else {
      throw Failure.notObject
    }
    var known: [String: StoredValue] = [:]
    for member in members where Self.names.contains(member.name) {
      guard known.updateValue(member.value, forKey: member.name) == nil else {
        throw Failure.repeated(member.name)
      }
    }
    func member(_ name: String) -> StoredValue? { known[name] }
    guard let key = member("key") else { throw Failure.noKey }
    guard let value = member("value") else {
      throw Failure.noValue
    }
    guard let own = Self.key(of: TypedJSON.typed(key)) else {
      throw Failure.invalidKey
    }
    self.key = own
    self.value = try Self.value(value, type: member("type"))
    if case .text(let word) = member("form") { form = word }
    expires = try Self.date(member("expires"))
    if case .text(let column) = member("valueColumn") {
      var expiry: String?
      if case .text(let column) = member("expiryColumn") { expiry = column }
      columns = ValueColumns(value: column, expiry: expiry)
    }
  }

  private static func value(
    _ value: StoredValue, type: StoredValue?
  ) throws(Failure) -> StoredValue {
    guard let type else {
      // Without a type, an object in the notation of a typed value is ambiguous.
      if let problem = TypedJSON.problem(of: value) { throw Failure(description: problem) }
      return TypedJSON.typed(value)
    }
    guard case .text(let word) = type, let type = StoredType(rawValue: word) else {
      throw Failure.unknownType(type)
    }
    switch (type, TypedJSON.typed(value, isPlain: type == .dictionary || type == .record)) {
    case (.record, .dictionary(let fields)): return .record(fields)
    // Other programs write 1 for the real number 1.0.
    case (.real, .integer(let number)): return .real(Double(number))
    case (let type, let value) where value.type == type: return value
    case (_, let typed):
      if let problem = TypedJSON.problem(of: value) { throw Failure(description: problem) }
      throw Failure.wrongType(typed.type, not: type)
    }
  }

  private static func date(_ member: StoredValue?) throws(Failure) -> Date? {
    switch member {
    case nil, .null: return nil
    case .text(never): return .distantFuture
    case .text(let text):
      if let date = Timestamp.date(from: text) { return date }
    default: break
    }
    throw Failure.notDate
  }

  /// Returns the value with the same JSON form as the key.
  package static func value(of key: EntryKey) -> StoredValue {
    switch key {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(text)
    case .malformedText(let bytes): .malformedText(bytes)
    case .bytes(let bytes): .data(bytes)
    case .composite(let parts): .array(parts.map(value(of:)))
    }
  }

  private static func key(of value: StoredValue) -> EntryKey? {
    switch value {
    case .null: return .null
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .number(let digits): return Double(digits).map { .real($0) }
    case .text(let text): return .text(text)
    case .malformedText(let bytes): return .malformedText(bytes)
    case .data(let bytes): return .bytes(bytes)
    case .array(let values):
      let parts = values.compactMap(key(of:))
      return parts.count == values.count ? .composite(parts) : nil
    default: return nil
    }
  }
}
