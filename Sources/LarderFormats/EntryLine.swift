package import LarderModel
package import Foundation

/// An entry as one line of JSON, from which the same entry is read again, to the last bit.
///
/// `{"key": …, "type": …, "value": …}`, with `form`, `modified`, `expires` and the names of the
/// columns that hold a row's value and its expiry where they are known; `expires` is `never` where a cache keeps it for ever. What JSON has no form for is written as
/// in ``JSONText``, in keys too.
package struct EntryLine: Sendable, Hashable {
  /// The key.
  package var key: EntryKey
  /// The whole value.
  package var value: StoredValue
  /// When the value expires, where the store knows; the distant future for never.
  package var expires: Date?
  /// The store's own word for how it keeps the value, where it has one.
  package var form: String?
  /// What the columns of a row mean that is one value with its expiry; nil for other values.
  package var columns: ValueColumns?

  /// Why a line is no entry.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
  }

  /// Describes an entry.
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

  /// The line, without an end.
  ///
  /// - Parameter modified: When the value was last written, for readers other than larder.
  /// - Returns: The text.
  package func text(modified: Date? = nil) -> String {
    var buffer = ByteBuffer(capacity: 256)
    append(modified: modified, to: &buffer)
    return buffer.text
  }

  /// Adds the line, without an end.
  ///
  /// - Parameters:
  ///   - modified: When the value was last written, for readers other than larder.
  ///   - buffer: What it is added to.
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
    if let modified { buffer.append(",\"modified\":\"\(Timestamp.text(of: modified))\"") }
    if let expires {
      let time = expires == .distantFuture ? Self.never : Timestamp.text(of: expires)
      buffer.append(",\"expires\":\"\(time)\"")
    }
    if let columns { buffer.append(Self.text(of: columns)) }
    buffer.append(UInt8(ascii: "}"))
  }

  /// The members of a line that say what the columns of a row mean.
  package static func text(of columns: ValueColumns) -> String {
    ",\"valueColumn\":\(JSONText.quote(columns.value))"
      + (columns.expiry.map { ",\"expiryColumn\":\(JSONText.quote($0))" } ?? "")
  }

  private static let never = "never"

  /// Reads a line; other members than those written here are left aside.
  ///
  /// - Parameter bytes: The line, with or without an end.
  /// - Throws: Why it is no entry.
  package init(_ bytes: some Sequence<UInt8>) throws(Failure) {
    let line: StoredValue
    do {
      line = try JSONParser.parse(bytes, readsTypes: false)
    } catch {
      throw Failure(description: "it is not JSON: \(error.reason) at column \(error.column)")
    }
    guard case .dictionary(let members) = line else {
      throw Failure(description: "it is not a JSON object")
    }
    func member(_ name: String) -> StoredValue? { members.first { $0.name == name }?.value }
    guard let key = member("key") else { throw Failure(description: "it has no \"key\"") }
    guard let value = member("value") else {
      throw Failure(description: "it has no \"value\"; larder export and get --json write one")
    }
    guard let own = Self.key(of: TypedJSON.typed(key)) else {
      throw Failure(description: "its \"key\" is a value that cannot be a key")
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
      // Only the type can say that such an object is meant to be one.
      if let problem = TypedJSON.problem(of: value) { throw Failure(description: problem) }
      return TypedJSON.typed(value)
    }
    guard case .text(let word) = type, let type = StoredType(rawValue: word) else {
      let types = StoredType.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(
        description: "its \"type\" \(JSONText.encode(type)) is not one of \(types)")
    }
    switch (type, TypedJSON.typed(value, isPlain: type == .dictionary || type == .record)) {
    case (.record, .dictionary(let fields)): return .record(fields)
    // Other programs write 1 where a real is meant.
    case (.real, .integer(let number)): return .real(Double(number))
    case (let type, let value) where value.type == type: return value
    case (_, let typed):
      if let problem = TypedJSON.problem(of: value) { throw Failure(description: problem) }
      throw Failure(
        description: "its \"value\" is of type \(typed.type.rawValue), not \(type.rawValue)")
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
    throw Failure(
      description: "its \"expires\" is not a date such as \(TypedJSON.sampleDate), nor never")
  }

  /// A key as the value that is written like it.
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
