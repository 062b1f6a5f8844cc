import Foundation

/// Writes values as JSON, keeping the order and the repetition of names.
///
/// Text, numbers, booleans and null are what they are in JSON; what JSON has no form for is an
/// object with one member that says so: `{"base64": …}` for bytes and text that is not UTF-8,
/// `{"date": …}`, `{"url": …}`, `{"uuid": …}`, and `{"real": "nan"}` for numbers that are not. Inside
/// another value, a dictionary that looks like one of these is `{"dictionary": {…}}`.
package enum JSONText {
  /// The value on one line, or indented by two spaces a level.
  package static func encode(_ value: StoredValue, isIndented: Bool = false) -> String {
    var text = ""
    write(value, level: isIndented ? 0 : nil, to: &text)
    return text
  }

  /// A text in double quotes, with every control character escaped.
  package static func quote(_ text: some StringProtocol) -> String {
    var quoted = "\""
    quoted.reserveCapacity(text.utf8.count + 2)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default:
        if scalar.isHostile {
          let digits = String(scalar.value, radix: 16)
          quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          quoted.unicodeScalars.append(scalar)
        }
      }
    }
    return quoted + "\""
  }

  private static func write(_ value: StoredValue, level: Int?, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += String(number)
    case .real(let number):
      text += number.isFinite ? number.description : "{\"real\":\"\(number.debugDescription)\"}"
    case .number(let digits): text += digits
    case .text(let content): text += quote(content)
    case .malformedText(let bytes): text += "{\"text\":{\"base64\":\"\(Base64.encode(bytes))\"}}"
    case .data(let bytes): text += "{\"base64\":\"\(Base64.encode(bytes))\"}"
    case .date(let date): text += "{\"date\":\"\(Timestamp.text(of: date))\"}"
    case .url(let address): text += "{\"url\":\(quote(address))}"
    case .uuid(let uuid): text += "{\"uuid\":\"\(uuid.uuidString)\"}"
    case .array(let values):
      writeList(values, "[", "]", level: level, to: &text) { value, level, text in
        write(value, level: level, to: &text)
      }
    case .dictionary(let fields) where !text.isEmpty && TypedJSON.isSpecial(fields):
      text += "{\"dictionary\":" + (level == nil ? "" : " ")
      writeMembers(fields, level: level, to: &text)
      text += "}"
    case .dictionary(let fields), .record(let fields):
      writeMembers(fields, level: level, to: &text)
    }
  }

  private static func writeMembers(
    _ fields: [StoredValue.Field], level: Int?, to text: inout String
  ) {
    writeList(fields, "{", "}", level: level, to: &text) { field, level, text in
      text += quote(field.name) + (level == nil ? ":" : ": ")
      write(field.value, level: level, to: &text)
    }
  }

  private static func writeList<Element>(
    _ elements: [Element], _ open: String, _ close: String, level: Int?, to text: inout String,
    writeElement: (Element, Int?, inout String) -> Void
  ) {
    text += open
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let level { text += "\n" + String(repeating: "  ", count: level + 1) }
      writeElement(element, level.map { $0 + 1 }, &text)
    }
    if let level, !elements.isEmpty { text += "\n" + String(repeating: "  ", count: level) }
    text += close
  }
}
