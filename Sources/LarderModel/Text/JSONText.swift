import Foundation

/// Encodes values as JSON, preserving the order of members and duplicate names.
///
/// Text, numbers, booleans and null have their usual form. Other types are objects with a single
/// member: `{"base64": …}` for bytes, the same inside `{"text": …}` for text that is not valid
/// UTF-8, `{"date": …}`, `{"url": …}`, `{"uuid": …}`, and `{"real": "nan"}` for numbers that are
/// not finite. A nested dictionary that looks like one of these is `{"dictionary": {…}}`.
package enum JSONText {
  /// Returns the value on one line, or indented by two spaces per level.
  package static func encode(_ value: StoredValue, isIndented: Bool = false) -> String {
    var buffer = ByteBuffer(capacity: 64)
    write(value, level: isIndented ? 0 : nil, to: &buffer)
    return buffer.text
  }

  /// Returns a string in double quotes, with every control character escaped.
  package static func quote(_ text: some StringProtocol) -> String {
    var buffer = ByteBuffer(capacity: text.utf8.count + 16)
    buffer.append(quoted: text)
    return buffer.text
  }

  /// Appends the value on one line.
  package static func append(_ value: StoredValue, to buffer: inout ByteBuffer) {
    write(value, level: nil, to: &buffer)
  }

  private static func write(
    _ value: StoredValue, level: Int?, isInside: Bool = false, to buffer: inout ByteBuffer
  ) {
    switch value {
    case .null: buffer.append(literal: "null")
    case .bool(let flag): buffer.append(literal: flag ? "true" : "false")
    case .integer(let number): buffer.append(digitsOf: number)
    case .real(let number): buffer.append(json: number)
    case .number(let digits): buffer.append(digits)
    case .text(let content): buffer.append(quoted: content)
    case .malformedText(let bytes): bytes.withUnsafeBytes { buffer.append(json: $0, isText: true) }
    case .data(let bytes): bytes.withUnsafeBytes { buffer.append(json: $0, isText: false) }
    case .date(let date): buffer.append("{\"date\":\"\(Timestamp.text(of: date))\"}")
    case .url(let address):
      buffer.append(literal: "{\"url\":")
      buffer.append(quoted: address)
      buffer.append(UInt8(ascii: "}"))
    case .uuid(let uuid): buffer.append("{\"uuid\":\"\(uuid.uuidString)\"}")
    case .array(let values):
      writeList(values, "[", "]", level: level, to: &buffer) { value, level, buffer in
        write(value, level: level, isInside: true, to: &buffer)
      }
    case .dictionary(let fields) where isInside && TypedJSON.isSpecial(fields):
      buffer.append(literal: "{\"dictionary\":")
      if level != nil { buffer.append(UInt8(ascii: " ")) }
      writeMembers(fields, level: level, to: &buffer)
      buffer.append(UInt8(ascii: "}"))
    case .dictionary(let fields), .record(let fields):
      writeMembers(fields, level: level, to: &buffer)
    }
  }

  private static func writeMembers(
    _ fields: [StoredValue.Field], level: Int?, to buffer: inout ByteBuffer
  ) {
    writeList(fields, "{", "}", level: level, to: &buffer) { field, level, buffer in
      buffer.append(quoted: field.name)
      buffer.append(literal: level == nil ? ":" : ": ")
      write(field.value, level: level, isInside: true, to: &buffer)
    }
  }

  private static func writeList<Element>(
    _ elements: [Element], _ open: StaticString, _ close: StaticString, level: Int?,
    to buffer: inout ByteBuffer,
    writeElement: (Element, Int?, inout ByteBuffer) -> Void
  ) {
    buffer.append(literal: open)
    for (index, element) in elements.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      if let level { breakLine(level + 1, &buffer) }
      writeElement(element, level.map { $0 + 1 }, &buffer)
    }
    if let level, !elements.isEmpty { breakLine(level, &buffer) }
    buffer.append(literal: close)
  }

  private static func breakLine(_ level: Int, _ buffer: inout ByteBuffer) {
    buffer.append(UInt8(ascii: "\n"))
    for _ in 0..<level { buffer.append(literal: "  ") }
  }
}
